"""The explorer of errors as part of a page: data that nothing gets out of, and a script that the page allows."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from urllib.parse import parse_qs

import pytest

from karat.data.explored import Explored, Scoring
from karat.render.page import HERE, SCRIPT, explorer, policy, wrong_by

HOSTILE = "</script><script>document.title = 'run'</script><!-- \u2028 \u202e & \" '"


def pairs(text: str) -> Explored:
    """One pair, and everything said about it is this text."""
    return Explored(
        ids=[text],
        texts=[text],
        hypotheses=[text],
        labels=("ENTAILMENT", "UNKNOWN", "CONTRADICTION", "NO_ENTAILMENT"),
        key="a",
        answers={text: "b"},
        scorings=(Scoring("3", "abcb", (text,)),),
        attributes={},
        confidences={},
        justifications={text: [text]},
        assessors={text: "c"},
    )


def test_texts_stay_data() -> None:
    """Whatever a text contains, it does not end the element, and is read back as it was."""
    made = explorer(pairs(HOSTILE))
    (data,) = re.findall('id="explorer-data">(.*)</script>\n$', made, re.DOTALL)
    assert "<" not in data
    assert made.count("<script") == made.count("</script") == 1
    read = json.loads(data)
    assert read["texts"] == [HOSTILE]
    assert read["justifications"] == {HOSTILE: [HOSTILE]}


@pytest.mark.parametrize("name", ["careful", "a & b", "run=1#x?y", "naïve 運行", HOSTILE])
def test_address_of_errors(name: str) -> None:
    """The address of a run's errors names the run, whatever its name is."""
    address = wrong_by(name)
    assert re.fullmatch(r"#pairs\?[\w=%.+~*-]+", address)
    assert parse_qs(address.removeprefix("#pairs?")) == {"wrong": [name]}


def test_script_is_allowed_and_writes_no_html() -> None:
    """The policy allows the whole script, which never puts a text into the page as HTML."""
    assert (HERE / "explorer.js").read_text("utf-8") in SCRIPT
    assert b64encode(sha256(SCRIPT.encode()).digest()).decode() in policy(SCRIPT)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|</script", SCRIPT)
