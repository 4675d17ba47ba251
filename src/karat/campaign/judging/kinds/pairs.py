"""Labels of pairs: alone, discussed, or decided where they differ; examples come before them and among them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import msgspec

from karat.campaign.events import Item
from karat.campaign.judging.asking import Ask, digits
from karat.campaign.judging.dealing import drawn
from karat.campaign.judging.files import agreed_labels, ballots_file
from karat.campaign.judging.kinds.kind import Export, Kind, Votes
from karat.campaign.judging.library import Material
from karat.campaign.judging.told import discussed
from karat.campaign.judging.work import Ballot
from karat.labels import THREE, TWO

REASONS = ("error", "difference")
KINDS = ("slip of attention", "guidelines misread", "granularity of places", "tense", "background knowledge")
"""Kinds of errors and differences that a page suggests; any other words do."""


WHEN_NEEDED = "Needed if you decide on what nobody said."


def units(material: Material) -> tuple[str, ...]:
    """All pairs."""
    return material.pairs.ids


def ask_label(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
    """The label of a pair."""
    del item, who
    return (label(material.task.way, "Does the text entail the hypothesis?"),)


def label(way: int, text: str) -> Ask:
    """A question with the labels of a task as answers."""
    labels = (THREE if way == 3 else TWO).labels
    return Ask(name="label", text=text, values=labels, keys=digits(len(labels)))


def decision(*asked: Ask) -> tuple[Ask, ...]:
    """What an adjudicator is asked where people differ."""
    return (
        *asked,
        Ask(name="reason", text="Why do they differ?", values=REASONS, keys=("e", "d")),
        Ask(name="kind", text="What kind of error or difference is it?", hints=KINDS, required=False, key="k"),
        Ask(name="note", text="A note", required=False, long=True, key="C", help=WHEN_NEEDED),
    )


def show_pair(material: Material, item: Item, who: str) -> dict[str, Any]:
    """The two texts."""
    del who
    return texts(material.examples if item.stage in ("qualification", "planted") else material.pairs, item.unit)


def texts(pairs: Any, unit: str) -> dict[str, Any]:
    """The two texts of a pair. Never its id: by that, an assessor would know a unit that is repeated, or an example."""
    place = pairs.index[unit]
    return {"text": pairs.texts[place], "hypothesis": pairs.hypotheses[place]}


def votes_shown(material: Material, item: Item, who: str) -> dict[str, Any]:
    """The votes and remarks of all, for whoever votes again."""
    if item.copy == 1:
        return {}
    one = discussed(material.state, material.task.name, item.unit, who)
    return {"labels": [said(vote.ballot) for vote in one.votes], "remarks": [remark.text for remark in one.remarks]}


def labels_given(material: Material, unit: str) -> list[dict[str, str]]:
    """What people said about a unit, in an order of its own for each, so that nobody learns who is who."""
    work = material.work
    given = {who: ballot for who, ballot in work.labels[unit].items() if who not in work.programs}
    return [said(given[who]) for who in without_order(material, unit, given)]


def without_order(material: Material, unit: str, people: Iterable[str]) -> list[str]:
    """People in an order that is another one for each unit."""
    return sorted(people, key=lambda who: drawn(material.state.seed, "who", material.task.name, unit, who))


def said(ballot: Ballot) -> dict[str, str]:
    """What somebody said about a unit, without their name."""
    return {"label": ballot.label or f"skipped: {ballot.said.skipped}", "comment": ballot.said.comment}


def key_file(material: Material, programs: bool) -> bytes:
    """The test set with the labels that people agreed on; units that are not settled have none."""
    import numpy as np

    from karat.campaign.checking import as_xml  # here: it loads scipy

    del programs
    labels, pairs = agreed_labels(material.work), material.pairs
    way = THREE if material.task.way == 3 else TWO
    codes = [way.code(labels[unit]) if unit in labels else -1 for unit in pairs.ids]
    return as_xml(replace(pairs, way=way, labels=np.array(codes, dtype=np.int8), ballots=None))


def among_people(labels: Kind, question: str, differ: str) -> tuple[Kind, Kind]:
    """What follows labels by several people: units that are discussed, and decisions where labels differ."""

    def show_discussed(material: Material, item: Item, who: str) -> dict[str, Any]:
        return labels.show(material, item, who) | votes_shown(material, item, who)

    def show_disputed(material: Material, item: Item, who: str) -> dict[str, Any]:
        return labels.show(material, item, who) | {"labels": labels_given(material, item.unit)}

    def ask_decision(material: Material, item: Item, who: str) -> tuple[Ask, ...]:
        (asked,) = labels.ask(material, item, who)
        return decision(msgspec.structs.replace(asked, text=question))

    about = f"{differ} Who gave which is not shown."
    common: dict[str, Any] = {"by_people": True, "units": labels.units, "shows": labels.shows}
    return (
        Kind(stage="norming", title="Norming round", verb="voted on", show=show_discussed, ask=labels.ask, **common),
        Kind(
            stage="adjudication",
            title="Adjudication",
            verb="decided",
            about=about,
            show=show_disputed,
            ask=ask_decision,
            **common,
        ),
    )


def ballots(title: str) -> Votes:
    """The labels of each assessor, and the decisions."""
    return Votes(
        name="ballots",
        title=title,
        of=lambda material, programs: ballots_file(material.work, programs=programs),
    )


LABELS = Kind(
    stage="labels",
    title="Labels",
    skip="Skip this pair for good",
    units=units,
    show=show_pair,
    ask=ask_label,
    votes=(ballots("Labels"),),
    files=(
        Export(
            "ballots",
            "ballots.tsv",
            "The ballots, as `karat agree` and `karat keys` read them",
            lambda material, programs: ballots_file(material.work, programs=programs),
            with_programs=True,
        ),
        Export(
            "key",
            "agreed-key.xml",
            "The agreed key: labels that all gave or an adjudicator decided on. It can become the new key.",
            key_file,
        ),
    ),
)
NORMING, ADJUDICATION = among_people(LABELS, "Which label is right?", "The labels of this pair differ.")
QUALIFICATION = Kind(
    stage="qualification", title="Examples", units=lambda material: material.examples.ids, show=show_pair, ask=ask_label
)
