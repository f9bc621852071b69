"""Years, judges and sizes of two decisions."""

from analysis.evidence.sample_pairs import cases

from ir_coliee.analysis.evidence import years


def test_what_two_decisions_state_on_themselves():
    query = (
        "Karu, J.\nMay 1, 2008.\n[1]\nI follow Odd J. and Justice Odd of 1999 <FRAGMENT_SUPPRESSED>. In 1999 and 1987."
    )
    item = "Odd, J.\nJune 3, 1999.\n[1]\nAs Lamp J. in 1987.\n[2]\nEnd."
    evidence = years(cases(query, item))
    assert evidence.facts == {
        "years from item to query": 9,
        "mentions of the item's year in the query": 2,
        "mentions of the item's judge in the query": 2,
        "years that both mention": "1999 (1), 1987 (1)",
        "judges that both mention": "odd (1)",
    }
    table = evidence.table.set_index("property")
    assert table.loc["year"].tolist() == [2008, 1999]
    assert table.loc["date in the header"].tolist() == ["2008-05-01", "1999-06-03"]
    assert table.loc["judge"].tolist() == ["karu", "odd"]
    assert table.loc["judges mentioned", "item"] == "odd (1), lamp (1)"
    assert table.loc["numbered paragraphs"].tolist() == [1, 2]
    assert table.loc["characters"].tolist() == [len(query), len(item)]
    assert table.loc["suppressed citations"].tolist() == [1, 0]


def test_years_behind_that_of_the_edition_are_no_years():
    evidence = years(cases("[1]\nIn 2098 and 1990.", "[1]\nNo year."))
    assert evidence.table.set_index("property").loc["year"].tolist() == [1990, None]
    assert evidence.facts["years from item to query"] is None
    assert evidence.as_json()["facts"]["mentions of the item's year in the query"] is None


def test_many_years_are_shortened():
    many = " ".join(map(str, range(1950, 1970)))
    listed = years(cases(many, many)).facts["years that both mention"]
    assert listed.endswith("1957 (1), 12 more")
