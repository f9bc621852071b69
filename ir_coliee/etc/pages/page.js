"use strict";
// Sorts tables by a click on a heading and filters long ones. Without it the page has the same content.
const manyRows = 15;

function value(row, column) {
  return row.cells[column].textContent.trim();
}

function sort(table, column, header) {
  const body = table.tBodies[0];
  const descending = header.getAttribute("aria-sort") === "ascending";
  const order = (a, b) => {
    const [x, y] = [value(a, column), value(b, column)];
    if (x === "" || y === "") return (x === "") - (y === "");
    const [p, q] = [Number(x.replaceAll(",", "")), Number(y.replaceAll(",", ""))];
    const difference = isNaN(p) || isNaN(q) ? x.localeCompare(y, "en", { numeric: true }) : p - q;
    return descending ? -difference : difference;
  };
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  body.append(...[...body.rows].sort(order));
}

function addSorting(table) {
  [...table.tHead.rows[0].cells].forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sort(table, column, header));
  });
}

function addFilter(table) {
  const rows = [...table.tBodies[0].rows];
  const label = document.createElement("label");
  const input = document.createElement("input");
  const count = document.createElement("output");
  label.className = "filter";
  input.type = "search";
  label.append("Show rows with: ", input, " ", count);
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
  });
  table.parentElement.before(label);
}

for (const table of document.querySelectorAll(".box > table")) {
  const length = table.tBodies[0].rows.length;
  if (length > 1) addSorting(table);
  if (length > manyRows) addFilter(table);
}
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details.short")) details.open = true;
});
