"""Clean court decisions for an index or a model, and find their French text.

French is found by function words, without a model. French paragraphs usually translate an English paragraph of the same
number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

from ir_coliee.text import decisions
from ir_coliee.text.decisions import Paragraph, Span

# --- French ---------------------------------------------------------------------------------------


Unit: TypeAlias = Literal["paragraph", "line"]

# Articles, prepositions, pronouns, auxiliaries; words of courts; months. Words of both languages (on, a, par, or) are
# left out.
_FRENCH_WORDS = """
le la les l' un une des du de d' au aux à et est ce cet cette ces c' que qu' qui dont où dans en pour sur sous vers
avec sans chez depuis selon lors comme ainsi donc car mais il ils elle elles je j' nous vous se s' ne n' pas plus leur
leurs sa ses mes été être était sont ont avoir avait peut doit fait cela celui celle ceux afin alors aussi tout toute
tous toutes même entre contre
cour juge appel demandeur demanderesse défendeur défenderesse intimé intimée appelant appelante ministre
janvier février avril mai juin juillet août septembre octobre novembre décembre
"""
_ENGLISH_WORDS = """
the of and to in that is was for it with as by be been not this these those are were from which who whom whose has have
had at an if but he she they we his her its their him them there where when than then any such all no may would should
could can must will shall did does under upon between against about into other only
court judge appeal appellant applicant respondent plaintiff defendant
january february march april june july august september october november december
"""
_FRENCH, _ENGLISH = (
    frozenset((*words.split(), *words.title().split(), *words.upper().split()))
    for words in (_FRENCH_WORDS, _ENGLISH_WORDS)
)
# every French text of some length has one of these; the combining ones are of letters taken apart
_ACCENTED = "éÉèÈêÊàÀçÇôÔîÎûùâ\u0300\u0301\u0327"
_LINE = re.compile(r"[^\n]+\n?")
_AT_LEAST = 2  # French words: a name may have one


class FrenchPassage(NamedTuple):
    """A French passage, by offsets.

    Attributes
    ----------
    start, end : int
        Offsets of the passage.
    number : int or None
        Number of its paragraph; None before the first mark.
    is_duplicate : bool
        Whether it is a whole paragraph that translates an English one.
    """

    start: int
    end: int
    number: int | None
    is_duplicate: bool


def french_passages(text: str, by: Unit = "paragraph", *, duplicates_only: bool = False) -> list[FrenchPassage]:
    r"""French passages of a decision, in order, including the marks of French paragraphs.

    Parameters
    ----------
    text : str
        A decision.
    by : {"paragraph", "line"}
        Classify each numbered paragraph as a whole, or each of its lines. The text before the first mark is always
        classified by lines.
    duplicates_only : bool
        Return only the paragraphs that translate an English one.

    Notes
    -----
    A unit is French if it has at least two French function words and more of them than English ones, and English if it
    has more English ones. Other units get the language of the last classified unit (THUIR at COLIEE 2023; the word
    lists are our own); the first ones are English. Bilingual notices are ignored. A text without accented letters has
    no French.

    A French paragraph is a duplicate if a paragraph that is not French has the same number; of each number there are at
    most as many duplicates as such paragraphs, empty ones not counted.

    Raises
    ------
    ValueError
        For another value of ``by``.

    Examples
    --------
    >>> french_passages("[1]\nThe lamp was lit.\n[1]\nLa lampe était allumée.\n[2]\nIt is so ordered.")
    [FrenchPassage(start=22, end=50, number=1, is_duplicate=True)]
    """
    if by not in get_args(Unit):
        raise ValueError(f"by={by!r} is neither 'paragraph' nor 'line'")
    if not any(letter in text for letter in _ACCENTED):
        return []
    judged = list(_judged(text, by))
    doubles = Counter(paragraph.number for paragraph, whole, _ in judged if not whole)
    passages = []
    for paragraph, whole, spans in judged:
        is_duplicate = whole and paragraph.number is not None and doubles[paragraph.number] > 0
        if is_duplicate:
            doubles[paragraph.number] -= 1
        if is_duplicate or not duplicates_only:
            passages += [FrenchPassage(*span, paragraph.number, is_duplicate) for span in spans]
    return passages


def remove_french(text: str, by: Unit = "paragraph", *, duplicates_only: bool = False) -> str:
    r"""Remove the French passages of a decision; `french_passages` reports them.

    Parameters
    ----------
    text : str
        A decision.
    by, duplicates_only
        See `french_passages`. Without ``duplicates_only`` nothing remains of a decision in French only.

    Examples
    --------
    >>> decision = "[1]\nThe lamp was lit.\n[1]\nLa lampe était allumée.\n[2]\nElle est à la cour."
    >>> remove_french(decision, duplicates_only=True)
    '[1]\nThe lamp was lit.\n[2]\nElle est à la cour.'
    """
    passages = french_passages(text, by, duplicates_only=duplicates_only)
    return decisions.remove_spans(text, (Span(passage.start, passage.end) for passage in passages))


def is_french(text: str) -> bool | None:
    """Whether a text is French (True) or English (False) by its function words; None if they do not decide.

    Examples
    --------
    >>> is_french("La demande est rejetée."), is_french("The application is dismissed."), is_french("Nr. 7")
    (True, False, None)
    """
    words = text.replace("’", "'").replace("'", "' ").split()
    if _FRENCH.isdisjoint(words):
        return None if _ENGLISH.isdisjoint(words) else False
    french = sum(map(_FRENCH.__contains__, words))
    english = sum(map(_ENGLISH.__contains__, words))
    if english > french:
        return False
    return True if french >= _AT_LEAST and french > english else None


def _judged(text: str, by: Unit) -> Iterator[tuple[Paragraph, bool, list[Span]]]:
    """Each non-empty paragraph, whether all of it is French, and its French spans."""
    paragraphs = decisions.paragraph_spans(text)
    ends = [*(paragraph.mark.start for paragraph in paragraphs[1:]), decisions.trailer_start(text)]
    is_now_french = False
    for paragraph, end in zip(paragraphs, ends):
        units = _units(text, paragraph, end, by)
        french = []
        for unit in units:
            decided = is_french(unit.of(text))
            is_now_french = is_now_french if decided is None else decided
            if is_now_french:
                french.append(unit)
        if units:
            whole = len(french) == len(units)
            yield paragraph, whole, [Span(paragraph.mark.start, end)] if whole else _joined(french)


def _units(text: str, paragraph: Paragraph, end: int, by: Unit) -> list[Span]:
    """Spans of a paragraph that are classified separately, without blank ones and notices."""
    if by == "paragraph" and paragraph.number is not None:
        units = [Span(paragraph.text.start, end)]
    else:
        units = [Span(*line.span()) for line in _LINE.finditer(text, paragraph.mark.end, end)]
    return [unit for unit in units if (words := unit.of(text).strip()) and not words.startswith(decisions.NOTICES)]


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Spans in order, with adjacent ones merged."""
    joined: list[Span] = []
    for span in spans:
        if joined and joined[-1].end == span.start:
            span = Span(joined.pop().start, span.end)
        joined.append(span)
    return joined


_BLANKS = re.compile("  +")
_CLOSING = "\"'”’»)]"  # may stand behind the end of a sentence
_ENDS_OF_SENTENCES = (".", "!", "?", ":", ";")
_CONTINUING = (",", ".", ";", ":", ")", "]")


def clean_case(text: str, *, drop_header: bool = False, drop_french: bool = False, join_lines: bool = False) -> str:
    r"""Clean a decision from suppressed markers, paragraph marks, editorial lines and superfluous white space.

    Parameters
    ----------
    text : str
        A decision.
    drop_header : bool
        Remove the text before ``[1]``, or before the first mark if there is no ``[1]``. A text without marks is
        unchanged.
    drop_french : bool
        Remove French lines; see `ir_coliee.text.cleaning.french_passages`.
    join_lines : bool
        Join broken lines; see `join_broken_lines`.

    Notes
    -----
    Suppressed markers are replaced by blanks. Paragraph marks ``[n]`` are removed, but not the text after them; of the
    publisher's text its lines and ``[Translation]``. Soft hyphens are removed, and white space is reduced to one blank
    between words and one line feed between lines. With all three options this is the cleaning of THUIR at COLIEE 2023.

    Examples
    --------
    >>> decision = " <FRAGMENT_SUPPRESSED>  (FC)\n[1]\nSee\n<FRAGMENT_SUPPRESSED> for more.\n[End of document]"
    >>> clean_case(decision)
    '(FC)\nSee\nfor more.'
    >>> clean_case(decision, drop_header=True, drop_french=True, join_lines=True)
    'See for more.'
    """
    text = text.replace("\u00ad", "")
    if drop_french:
        text = remove_french(text, by="line")
    if drop_header:
        text = text[decisions.first_mark(text) or 0 :]
    text = decisions.remove_editorial_lines(decisions.remove_markers(text))
    if join_lines:
        text = join_broken_lines(text)
    return _folded(decisions.remove_marks(text))


def join_broken_lines(text: str) -> str:
    r"""Join broken lines after the header and remove blank lines between them.

    Notes
    -----
    A line is broken if it ends no sentence, or if the next line begins with a lower-case letter or a closing mark.
    Lines are never joined before a paragraph mark, nor after a mark that is alone on its line. The rule is our own.

    Examples
    --------
    >>> join_broken_lines("[1]\nThe lamp of the\nKeeper was\nlit.\nThe gate was shut.")
    '[1]\nThe lamp of the Keeper was lit.\nThe gate was shut.'
    """
    body = decisions.first_mark(text) or 0
    joined: list[list[str]] = []
    for line in filter(None, map(str.strip, text[body:].split("\n"))):
        if joined and _goes_on(joined[-1][-1], line):
            joined[-1].append(line)
        else:
            joined.append([line])
    return text[:body] + "\n".join(map(" ".join, joined))


def _goes_on(line: str, following: str) -> bool:
    if decisions.opens_paragraph(following) or (decisions.opens_paragraph(line) and line.find("]") == len(line) - 1):
        return False
    ends_sentence = line.rstrip(_CLOSING).endswith(_ENDS_OF_SENTENCES)
    return not ends_sentence or following[0].islower() or following.startswith(_CONTINUING)


def _folded(text: str) -> str:
    """Reduce white space to single blanks and single line feeds, with none at the ends of lines."""
    lines = map(str.strip, text.replace("\t", " ").replace("\u00a0", " ").split("\n"))
    return _BLANKS.sub(" ", "\n".join(filter(None, lines)))
