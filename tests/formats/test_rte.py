"""Tests of RTE XML: every year's spelling, every encoding met, and the damage that has one reading."""

from __future__ import annotations

import pytest

from karat.errors import UsageError
from karat.formats.pairs import write_pairs
from karat.labels import THREE, TWO, Way
from tests.files import NO_E, C, E, U, codes_of, key_of, key_problems, labels_of, place_of, read_key
from tests.formats.samples import RTE


def corpus(*pairs: str, root: str = "entailment-corpus", before: str = "") -> str:
    """A corpus of pairs whose attributes are given."""
    inside = "\n".join(f"<pair {pair}><t>Ann won.</t><h>Ann played.</h></pair>" for pair in pairs)
    return f"{before}<{root}>\n{inside}\n</{root}>\n"


YEARS = {
    "RTE-1": (
        corpus(
            'id="8" value="TRUE" task="IR"',
            'id="9" value="FALSE" task="MT"',
            before='<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE entailment-corpus SYSTEM "rte.dtd">\n',
        ),
        TWO,
        [E, NO_E],
    ),
    "RTE-2": (corpus('id="1" entailment="YES" task="IE"', 'id="2" entailment="NO" task="IE"'), TWO, [E, NO_E]),
    "RTE-3": (corpus('id="1" entailment="NO" length="short"', 'id="2" entailment="YES"'), TWO, [NO_E, E]),
    "RTE-3 extended": (
        corpus('id="1" entailment="YES"', 'id="2" entailment="NO"', 'id="3" entailment="UNKNOWN"'),
        THREE,
        [E, C, U],
    ),
    "RTE-4": (
        corpus('id="1" entailment="ENTAILMENT"', 'id="2" entailment="CONTRADICTION"', 'id="3" entailment="UNKNOWN"'),
        THREE,
        [E, C, U],
    ),
    "RTE-4 two-way": (
        corpus('id="1" entailment="ENTAILMENT"', 'id="2" entailment="NO ENTAILMENT"'),
        TWO,
        [E, NO_E],
    ),
    "RTE-5 dev": (corpus('id="1" entailment="UNKNOWN"', root="devset"), THREE, [U]),
    "RTE-5 test": (corpus('id="1" entailment="UNKNOWN"', root="testset"), THREE, [U]),
}


@pytest.mark.parametrize(("content", "way", "labels"), YEARS.values(), ids=YEARS)
def test_every_year_is_read(content: str, way: Way, labels: list[str]) -> None:
    """Labels of every campaign mean what that campaign meant by them."""
    pairs = read_key(content)
    assert pairs.way is way
    assert labels_of(pairs) == labels
    assert pairs.warnings == ()


def test_attributes_are_kept() -> None:
    """Task, length and whatever else a pair carries stay, absent ones as nothing."""
    pairs = read_key(corpus('id="1" task="IE" length="long"', 'id="2" task="QA"'))
    assert pairs.attributes == {"task": ("IE", "QA"), "length": ("long", None)}


def test_a_blind_set_has_no_way() -> None:
    """Without any label there is no key, and no complaint."""
    pairs = read_key(corpus('id="1" task="IE"', 'id="2" task="IE"'))
    assert pairs.blind
    assert pairs.label_counts() == {}
    assert pairs.warnings == ()


def test_ids_need_not_be_numbers() -> None:
    """An id is a word."""
    assert read_key(corpus('id="a-1.x" entailment="YES"')).ids == ("a-1.x",)


TEXT = '<devset><pair id="1" entailment="YES"><t>Zoë ate — twice</t><h>Zoë ate</h></pair></devset>'
LATIN = TEXT.replace("—", "-")
ENCODINGS = {
    "UTF-8": ('<?xml version="1.0" encoding="UTF-8"?>' + TEXT).encode(),
    "UTF-8 with mark": ("\ufeff" + '<?xml version="1.0" encoding="UTF-8"?>' + TEXT).encode(),
    "no declaration": TEXT.encode(),
    "UTF-16 little": ('<?xml version="1.0" encoding="UTF-16"?>' + TEXT).encode("utf-16"),
    "UTF-16 big": ("\ufeff" + '<?xml version="1.0" encoding="UTF-16"?>' + TEXT).encode("utf-16-be"),
    "ISO-8859-1": ('<?xml version="1.0" encoding="ISO-8859-1"?>' + LATIN).encode("latin-1"),
    "windows-1252": ('<?xml version="1.0" encoding="windows-1252"?>' + TEXT).encode("cp1252"),
}


@pytest.mark.parametrize("data", ENCODINGS.values(), ids=ENCODINGS)
def test_every_encoding_is_read(data: bytes) -> None:
    """A declared or marked encoding gives the same characters, found without naming the reader."""
    pairs = read_key(data)
    assert pairs.hypotheses == ("Zoë ate",)
    assert pairs.texts[0].startswith("Zoë ate ")


def test_crlf_and_blanks_round_texts_are_read() -> None:
    """Line ends, indents and blanks around texts are not part of them; blanks inside are."""
    inside = "<t>\r\n  One  two\r\n   three </t><h>\tOne\t</h>"
    pairs = read_key(f'<devset>\r\n<pair id=" 1 " entailment="YES">\r\n{inside}</pair></devset>')
    assert (pairs.ids, pairs.texts, pairs.hypotheses) == (("1",), ("One  two three",), ("One",))


def test_a_declaration_without_its_blank_is_read() -> None:
    """`version="1.0"encoding=` has one reading, and a warning says so."""
    data = ('<?xml version="1.0"encoding="ISO-8859-1"?>\n' + LATIN).encode("latin-1")
    assert read_key(data).hypotheses == ("Zoë ate",)
    assert list(map(place_of, key_problems(data))) == [("xml-declaration", 1, 1, "warning")]


def test_blanks_before_the_declaration_are_read() -> None:
    """They have one reading too, and later problems keep their lines."""
    content = "\n\n" + RTE.replace('entailment="NO"', 'entailment="PERHAPS"')
    problems = key_problems(content)
    assert [place_of(problem)[:2] for problem in problems] == [("xml-declaration", 1), ("label", 7)]


def test_an_internal_dtd_is_accepted() -> None:
    """Declarations of elements and attributes do no harm, default values included."""
    dtd = (
        "<!DOCTYPE entailment-corpus [\n<!ELEMENT entailment-corpus (pair)*>\n"
        '<!ATTLIST pair id CDATA #REQUIRED task CDATA "none">\n<!NOTATION n SYSTEM "n">\n]>\n'
    )
    pairs = read_key(corpus('id="1" entailment="YES"', before=dtd))
    assert pairs.attributes == {"task": ("none",)}


BROKEN = {
    "no <t>": ('<pair id="1"><h>b</h></pair>', ("element", 1, 9, "error")),
    "two <h>": ('<pair id="1"><t>a</t><h>b</h><h>c</h></pair>', ("element", 1, 9, "error")),
    "markup in <t>": ('<pair id="1"><t>a <b>c</b></t><h>b</h></pair>', ("element", 1, 27, "error")),
    "empty <h>": ('<pair id="1"><t>a</t><h> </h></pair>', ("empty-text", 1, 9, "error")),
    "no id": ("<pair><t>a</t><h>b</h></pair>", ("no-id", 1, 9, "error")),
    "no pairs": ("", ("empty-file", None, None, "error")),
    "a bare &": ('<pair id="1"><t>Zoë & co</t><h>b</h></pair>', ("bare-ampersand", 1, 29, "error")),
    "&eacute;": ('<pair id="1"><t>caf&eacute;</t><h>b</h></pair>', ("undefined-entity", 1, 28, "error")),
    "a mismatched tag": ('<pair id="1"><t>a</h></pair>', ("xml", 1, 28, "error")),
    "a label of no meaning": ('<pair id="1" value="SO"><t>a</t><h>b</h></pair>', ("label", 1, 9, "error")),
}


@pytest.mark.parametrize(("inside", "place"), BROKEN.values(), ids=BROKEN)
def test_damage_is_told_with_its_place(inside: str, place: tuple[str, int, int, str]) -> None:
    """Whatever has no one reading is an error at its line and column, in characters."""
    assert list(map(place_of, key_problems(f"<devset>{inside}</devset>"))) == [place]


def test_every_bare_ampersand_is_told() -> None:
    """One round of mending is enough: all of them, but none in comments or CDATA."""
    content = "<devset>\n<!-- a & b --><![CDATA[ & ]]>\n<pair id='&'/>R&D AT&T; &amp; &#38;\n&</devset>"
    problems = key_problems(content)
    assert [(p.code, p.line, p.column) for p in problems] == [
        ("bare-ampersand", 3, 11),
        ("bare-ampersand", 3, 16),
        ("bare-ampersand", 4, 1),
    ]


def test_a_repeated_id_names_both_lines() -> None:
    """The sentence tells where the first one stands."""
    (problem,) = key_problems(corpus('id="1" entailment="YES"', 'id="1" entailment="NO"'))
    assert place_of(problem) == ("duplicate-id", 3, 1, "error")
    assert "first in line 2" in problem.found


def test_a_pair_inside_a_pair_is_refused() -> None:
    """It would be lost otherwise."""
    inner = '<pair id="2"><t>a</t><h>b</h></pair>'
    content = f'<devset><pair id="1"><t>a</t><h>b</h>{inner}</pair></devset>'
    assert codes_of(key_problems(content)) == ["element"]


def test_a_column_names_the_label() -> None:
    """`--column label=` takes the label from another attribute."""
    pairs = read_key(corpus('id="1" entailment="YES" nist="UNKNOWN"'), column={"label": "nist"})
    assert labels_of(pairs) == [U]
    assert pairs.attributes == {"entailment": ("YES",)}


def test_what_xml_cannot_hold_is_refused_when_written(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A control character would make a file that nothing reads."""
    pairs = read_key("id\ttext\thypothesis\n1\ta\x01b\tc\n", "key.tsv")
    with pytest.raises(UsageError, match=r"pair '1' has the character U\+0001"):
        write_pairs(pairs, tmp_path_factory.mktemp("out") / "key.xml")


def test_attributes_get_names_that_xml_allows(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Columns with blanks in their names, or named like the label, become other attributes."""
    pairs = read_key("id\ttext\thypothesis\tlabel\tvalue\t2 x\n1\ta\tb\tYES\tv\tw\n", "key.tsv")
    path = tmp_path_factory.mktemp("out") / "key.xml"
    write_pairs(pairs, path)
    again = read_key(path.read_bytes())
    assert labels_of(again) == labels_of(key_of("YES"))
    assert again.attributes == {"_value": ("v",), "_2_x": ("w",)}
