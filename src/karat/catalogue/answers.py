"""Problems of questions, nuggets, ratings, preferences and decompositions."""

from __future__ import annotations

from karat.catalogue.case import Case

ANSWERS: dict[str, Case] = {
    # questions
    "question-type": Case("error", "FACTOID, LIST or OTHER", "correct the type"),
    "empty-question": Case("error", "a text for every question, and a target for its series", "fill it in"),
    "series": Case("error", "one target and one kind in a series", "correct the series, or its target"),
    "target-type": Case(
        "error", "a line `#PERSON NAME` for each target, in their order", "check that targets and types belong together"
    ),
    "other-last": Case(
        "warning", "one OTHER question in a series, the last", "nothing to do; check that the series is as meant"
    ),
    "not-other": Case("error", "nuggets of questions of type OTHER", "correct the question's id, or its type"),
    "no-answer": Case(
        "error", "an answer to every factoid question", "add one; NIL as the document means that there is no answer"
    ),
    "several-answers": Case("error", "{what} to a factoid question", "{fix}"),
    "rank": Case("error", "different ranks for the answers to one question", "number them 1, 2, 3…, best first"),
    "empty-answer": Case("error", "an answer string", "fill it in; NIL as the document means that there is no answer"),
    "nil-beside": Case(
        "warning", "NIL alone, or answers", "nothing to do; NIL together with answers counts as one more wrong answer"
    ),
    "no-document": Case(
        "warning",
        "a document for every answer, as elsewhere in the file",
        "nothing to do; the answer counts as unsupported by a document",
    ),
    "no-response": Case("warning", "a response to every list and other question", "nothing to do; it scores 0"),
    "same-answer": Case("warning", "each document and string once", "nothing to do; in lists it counts as given twice"),
    "verdict": Case(
        "error",
        "R (correct), X (inexact), U (unsupported), W (incorrect) or L (locally correct)",
        "correct the verdict",
    ),
    "trec-verdict": Case(
        "error",
        "-1 (wrong), 1 (right), 2 (unsupported) or 3 (inexact), or a letter: R, X, U, W, or L (locally correct)",
        "correct the verdict; where NIST uses another number, write the letter that its description gives",
    ),
    "verdicts-differ": Case("error", "one verdict on a document and string", "keep the correct one"),
    "judged-twice": Case("warning", "each document and string judged once", "nothing to do; the verdicts agree"),
    "odd-verdict": Case("warning", "{what}", "nothing to do; check the judgments there"),
    "no-group": Case(
        "warning", "a group for every correct answer to a list question", "nothing to do; each string is its own group"
    ),
    "no-list": Case(
        "warning",
        "the known answers too, since the judged lists of runs do not say which answers of different runs are the same",
        "add them with --judgments FILE; without them strings marked as distinct are counted; recall is approximate",
    ),
    "short-list": Case(
        "error",
        "no more distinct answers of a run than there are known ones",
        "check that the list of known answers belongs to these judgments",
    ),
    "unjudged": Case(
        "error",
        "a verdict on every answer",
        "judge it, or use --unjudged wrong, or --unjudged patterns with --patterns FILE",
    ),
    "no-verdicts": Case(
        "warning",
        "a judged answer to every factoid question, or a row NIL if no answer is known",
        "nothing to do if no answer is known; then NIL is right",
    ),
    "nil-key": Case(
        "warning",
        "a verdict on NIL that agrees with the known answers: {what}",
        "nothing to do; the known answers are used",
    ),
    "no-assessor": Case(
        "error", "an assessor in every row, or in none", "fill in who gave the verdict, or remove the column"
    ),
    "no-pattern": Case(
        "warning",
        "a pattern or an accepted answer for every factoid question, or a line `ID NIL` if no answer is known",
        "nothing to do; the question is not scored",
    ),
    "wide-pattern": Case(
        "warning",
        "an expression that some strings do not match",
        "nothing to do; it is left out; correct it if you can",
    ),
    "pattern": Case("error", "a question's id, a blank and a regular expression", "fix the line"),
    # nuggets
    "empty-nugget": Case("error", "a topic, a name and a text for every nugget", "fill it in"),
    "importance": Case(
        "warning", "vital or okay", "no action needed; the nugget is left out (with --missing zero it has weight 0)"
    ),
    "no-importance": Case(
        "warning", "nuggets that are vital or okay", "nothing to do if all are equally important; each counts as vital"
    ),
    "assignment": Case(
        "warning",
        "support, partial_support or not_support, or 1, 0.5 or 0",
        "no action needed; the nugget is left out for this run (with --missing zero it counts as not supported)",
    ),
    "no-vital": Case("error", "a vital nugget in every list", "mark one as vital, or remove the question"),
    "no-assignment": Case(
        "warning", "every run judged on every topic", "nothing to do; the topic is left out of the means of all runs"
    ),
    "no-text": Case("warning", "the answer of every run", "nothing to do; F leaves the topic out, other scores do not"),
    "unknown-nugget": Case("error", "a nugget of the list", "correct it, or check that the files belong together"),
    "nugget-list": Case(
        "warning", "the nuggets of the list given", "nothing to do; the run is scored with the nuggets of its own file"
    ),
    "run-without": Case("error", "{what}", "add what is missing, or leave the run out"),
    "run-beside": Case("warning", "the runs whose answers are given", "nothing to do; the other runs are left out"),
    "citation": Case(
        "warning",
        "citations of the answer's own references",
        "nothing to do; a number that is of none is left out, and an id counts as cited",
    ),
    "duplicate-run": Case(
        "error",
        "runs with different names",
        "rename one of the two: in the column of runs, or rename the file, like which a run is called; a log named by "
        "date is called like its model or folder until you rename the file",
    ),
    # ratings
    "rating": Case("error", "{what}", "correct it"),
    "not-rated": Case("error", "{what}, since it is asked here", "fill it in"),
    "unasked": Case("error", "{what}", "remove it, or use --unasked drop to leave such ratings out"),
    "unasked-dropped": Case("warning", "{what}", "nothing to do; that rating is left out"),
    "unrated": Case("warning", "a rating in every row, or skip", "nothing to do; they are left out"),
    "skipped-partly": Case("warning", "a pair skipped for all runs", "nothing to do; this row alone is left out"),
    "no-judges": Case(
        "warning",
        "who rated: a column judge, assessor, rater or annotator",
        "name it: --rating-column assessor=NAME; or use --exchangeable, which reports nothing about individual judges",
    ),
    "rare-name": Case("warning", "{what}", "{fix}; otherwise nothing to do"),
    "unknown-judge": Case("error", "one of the judges in the table ({judges})", "{fix}, or add the judge to the table"),
    "best-of-wrong": Case("error", "{what}", "correct the rating, or check that ratings, key and runs belong together"),
    # preferences
    "preference": Case(
        "error",
        "left, right, tie or both bad, or the name of one of the two runs",
        "correct it, or say what it means: --verdict WORD=left",
    ),
    "ambiguous-preference": Case("error", "a verdict that means one thing", "write left, right, tie or both bad"),
    "same-run": Case("error", "two different runs", "correct one of them, or remove the row"),
    "compared-twice": Case(
        "warning",
        "two runs compared once by an assessor on a unit, or once in either order",
        "nothing to do; all of them count",
    ),
    # decompositions
    "orphan": Case(
        "error", "in `original` the id of the pair it was made from", "correct it, or give the originals too"
    ),
    "original-monothematic": Case(
        "error", "an original made from no other pair", "name the pair that both are made from"
    ),
    "no-phenomenon": Case("error", "a phenomenon for every monothematic pair", "name it"),
    "category": Case("error", "{what}", "correct the category or the phenomenon"),
    "left-side": Case("error", "a left side of the rule that occurs in T", "copy it from T exactly"),
    "composition": Case("error", "{what}", "correct H or the rule, or write composed=rewrite"),
    "composed": Case("error", "substitution or rewrite, or nothing", "write one of the two, or leave it out"),
    "near-phenomenon": Case(
        "warning", "a known phenomenon, or one of your own", "did you mean {near}? Otherwise nothing to do"
    ),
    "rule-and-label": Case(
        "warning", "the label that its rule implies: ⇒ entails, ⇎ contradicts", "correct the pattern or the label"
    ),
    "no-rewrite": Case(
        "warning",
        "an H that its rule alone does not produce, since composed says rewrite",
        "write composed=substitution",
    ),
    "parts-and-whole": Case("warning", "{what}", "correct a label, or add a part for what is not covered yet"),
    "other-text": Case("error", "the T of its original", "copy it from the original"),
    "not-decomposed": Case("warning", "a monothematic pair for every original", "nothing to do; they are left out"),
    "relevance": Case("error", "{what}", "correct the line"),
    "no-relevance": Case("warning", "a weight for every phenomenon", "nothing to do; those without one get weight 1"),
    # citations
    "document-id": Case(
        "error",
        "ids without a semicolon, which stands between the documents that one sentence cites",
        "write %3B in its place, in all files",
    ),
    "support": Case("error", "full, partial, none or contradicted", "correct the verdict"),
    "sentence": Case("error", "the number of a sentence, from 1", "correct the number"),
    "unknown-citation": Case(
        "error",
        "a sentence of the run's answer, and a document that it cites",
        "correct it, or check that the judgments and the runs belong together",
    ),
    "unjudged-citation": Case(
        "error", "a verdict on the first document that a sentence cites", "judge it, or use --unjudged none"
    ),
    "list-left-out": Case(
        "warning",
        "every run judged against each assessor's list",
        "have the runs judged; until then the list is left out of the question, which changes the scores of all runs",
    ),
}
