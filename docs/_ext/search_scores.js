// The search of Sphinx, with its own scores. Of pages that match equally, those that answer a question come first.
// Without this they come by the alphabet.
const PLACES = [
  [/^(questions|install)$/, 3],
  [/^(troubleshooting|tutorials\/|how-to\/)/, 2],
];

var Scorer = {
  score: ([page, , , , score]) => score + (PLACES.find(([pattern]) => pattern.test(page)) ?? [null, 0])[1],
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
