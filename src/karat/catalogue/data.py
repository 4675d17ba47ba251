"""Problems of files, test sets, runs, questions, nuggets, ballots and engines."""

from __future__ import annotations

from karat.catalogue.case import Case

DATA: dict[str, Case] = {
    # files
    "unreadable": Case("error", "a file that can be read", "check the path and its permissions"),
    "too-large": Case("error", "at most {limit}", "split the file, or check that it is what you meant"),
    "gzip": Case("error", "a complete gzip file", "compress it again, or give it uncompressed"),
    "gzip-bomb": Case("error", "data that unpacks to at most {limit}", "give the file uncompressed"),
    "parquet": Case("error", "a complete Parquet file", "write it again, or give the table as CSV or JSON lines"),
    "encoding": Case("error", "UTF-8", "convert it: iconv -f {encoding} -t UTF-8 FILE > NEW"),
    "nul": Case("error", "text without NUL bytes", "export the file again as plain UTF-8 text"),
    "control-character": Case(
        "error",
        "text whose only control characters are tabs and line breaks",
        "remove it, or replace it by a blank or a tab",
    ),
    "line-too-long": Case(
        "error", "lines of at most {limit}", "check for missing line breaks, or a file of another format"
    ),
    "carriage-return": Case(
        "warning",
        "lines that end in LF or CRLF",
        "check the lines there; a carriage return alone is read as the end of one",
    ),
    "no-final-newline": Case("warning", "a newline at the end", "check that the file was not cut off in its last line"),
    "empty-line-at-end": Case("warning", "nothing after the last row", "nothing to do; it is ignored"),
    "empty-line": Case("error", "a row on every line", "remove the empty line, or fill it in"),
    "format": Case("error", "{what}", "{fix}"),
    "empty-file": Case("error", "{what}", "check that the right file was given"),
    # XML
    "xml": Case("error", "well-formed XML", "fix the file there, or just before"),
    "bare-ampersand": Case("error", "&amp;", "write &amp; for a literal &"),
    "entity": Case("error", "a file without entities of its own", "remove it and write the text itself"),
    "undefined-entity": Case(
        "error",
        "only &amp; &lt; &gt; &quot; &apos; and numeric references such as &#233;",
        "write the character itself",
    ),
    "xml-too-deep": Case(
        "error",
        "elements nested at most {limit} deep",
        "check that it is the right file; RTE files are three levels deep",
    ),
    "xml-declaration": Case("warning", "{what}", "nothing to do; it was read as meant"),
    "element": Case("error", "{what}", "correct the elements there"),
    # tables
    "json": Case("error", "one JSON object per line", "fix the line; each line must be valid JSON by itself"),
    "json-array": Case(
        "error", "a JSON array of objects", "fix it there; JSON lines, one object per line, are read too"
    ),
    "workbook": Case("error", "an Excel workbook (.xlsx) that can be read", "save it again, or export it as CSV"),
    "log": Case("error", "{what}", "{fix}"),
    "cancelled": Case("warning", "annotations that were submitted", "nothing to do; cancelled ones are left out"),
    "several-sheets": Case("warning", "one sheet with data", "nothing to do if this is the one you mean"),
    "columns": Case("error", "{what}", "fix the line; look for a stray delimiter or a missing field"),
    "no-column": Case("error", "{what}", "name it: {option} {role}NAME"),
    "which-column": Case(
        "error",
        "one column of answers",
        "say which it is: --run-column label=NAME, or --run-columns {names} for several",
    ),
    "quoting": Case("error", "balanced quotes", "close the quote, or double a quote inside quotes"),
    # pairs
    "no-id": Case("error", "an id for every pair, question and unit, a name for every run and judge", "fill it in"),
    "duplicate-id": Case("error", "each id once", "remove one of the two, or correct its id"),
    "duplicate-unit": Case(
        "error",
        "one row per unit, where assessors are columns",
        "remove one of the two, or correct its unit; --ballot-column unit=row says that the row is the unit",
    ),
    "label": Case(
        "error",
        "a label in one of the usual spellings (ENTAILMENT, YES, neutral, not_entailment…)",
        "correct it, or say what it means: --label {spelled}=LABEL",
    ),
    "label-outside-task": Case("error", "one of {labels}", "correct it, or say what it means: --label {spelled}=LABEL"),
    "label-code": Case(
        "error",
        "a label in words, since integer codes differ between files",
        "say what it stands for: --label {spelled}=LABEL",
    ),
    "unlabelled": Case("warning", "a label for every pair", "nothing to do; they are left out of all scores"),
    "no-ids": Case(
        "warning",
        "a column of ids",
        "nothing to do if rows have the same order in all files: they are numbered from 0; else {option} id=NAME",
    ),
    "ids-needed": Case(
        "error",
        "a column of ids, since the test set has ids of its own",
        "name it: --run-column id=NAME; the order of rows alone proves nothing",
    ),
    "empty-text": Case("error", "a text and a hypothesis", "fill it in"),
    # runs
    "unknown-id": Case("error", "an id of the test set", "correct it, or check that run and key belong together"),
    "missing-id": Case(
        "error", "an answer to every pair", "add a line for it; partial runs are refused unless --missing wrong"
    ),
    "unanswered": Case(
        "error",
        "one of {labels}",
        "fill it in, or count pairs without an answer as wrong: --missing wrong",
    ),
    "unparsed-answer": Case(
        "error",
        "one of {labels}",
        "correct it, or count answers that are no label: --unparsed wrong, or --unparsed unknown",
    ),
    "missing-answers": Case("warning", "an answer to every pair", "nothing to do; each of these counts as wrong"),
    "unparsed": Case("warning", "one of {labels} for every pair", "nothing to do; each of these counts as {treated}"),
    "bad-run": Case("warning", "a run without errors", "nothing to do; it is left out (karat check lists its errors)"),
    "no-good-run": Case("error", "at least one run without errors", "fix them: karat check lists all of them"),
    "not-ascii": Case(
        "error", "plain ASCII in id and label", "replace it; a typographic dash or blank looks like a plain one"
    ),
    "run-line": Case("error", "{what}", "fix the line"),
    "ambiguous-no": Case(
        "error",
        "a run that shows what its NO means, since the key is three-way",
        "use --way 2 if NO means no entailment, or --label NO=CONTRADICTION if it means contradiction",
    ),
    "ambiguous-no-blind": Case(
        "warning",
        "a run that shows what its NO means, in case the key is three-way",
        "nothing to do if the key is two-way; otherwise use --way 2 if NO means no entailment, or --label "
        "NO=CONTRADICTION if it means contradiction",
    ),
    "folded": Case(
        "warning",
        "two-way labels, as in the key",
        "nothing to do; UNKNOWN and CONTRADICTION both count as no entailment",
    ),
    "probability": Case(
        "error",
        "probabilities: numbers from 0 to 1 that sum to 1",
        "correct them; logits become probabilities by softmax, and per cent when divided by 100",
    ),
    "logits": Case(
        "warning",
        "probabilities: numbers from 0 to 1 that sum to 1",
        "nothing to do if they are logits or logarithms of probabilities: they became probabilities by softmax",
    ),
    "probability-labels": Case(
        "error",
        "probabilities of ENTAILMENT, UNKNOWN and CONTRADICTION, of ENTAILMENT and NO ENTAILMENT, or of ENTAILMENT",
        "name their columns: --run-column entailment=NAME --run-column unknown=NAME --run-column contradiction=NAME",
    ),
    "probability-list": Case(
        "error",
        "the label of each place of the list",
        "say it for all places: {needed}, for example --label 0=ENTAILMENT",
    ),
    "not-likeliest": Case(
        "warning",
        "the label with the highest probability as answer",
        "nothing to do if a threshold was used; the answers are scored as given",
    ),
    "confidence": Case("error", "a finite number as confidence", "correct it, or leave the column out"),
    "score": Case("error", "a finite number, or nothing if the unit is not scored", "correct it, or leave it empty"),
    "which-score": Case("error", "{what}", "{fix}"),
    "which-judge": Case("error", "{what}", "keep one judge's rows, or compare the judges with `karat meta`"),
    "duplicate-judge": Case("error", "judges with different names", "rename one of the two files"),
    "transposed": Case(
        "warning",
        "one row per run and one column per unit",
        "nothing to do: rows are units, since the first column is called {heading}; if they are runs, call it `run`",
    ),
    "units-as-rows": Case(
        "warning",
        "one row per run and one column per unit",
        "nothing to do if so (call the first column `run`); if rows are units and columns are runs, use --transpose",
    ),
    "too-many-runs": Case(
        "error",
        "one row per run and one column per unit",
        "if rows are units and columns are runs, use --transpose; if rows are runs, call the first column `run`",
    ),
    "ranked-otherwise": Case(
        "warning", "the ranking that --ranked-by names", "nothing to do; what the file says is used"
    ),
    "missing-weight": Case("error", "a weight for every pair", "add a line for it"),
    "weight": Case("error", "weights that are finite, not negative and not all zero", "correct the weights"),
    "equals-key": Case(
        "warning",
        "the answers of a system, which are seldom all right",
        "check that its answers were read, and not the key (--run-column label=NAME names their column)",
    ),
    "gold-differs": Case(
        "warning", "the key's label in the run's gold column", "check that run and key belong to the same test set"
    ),
    "label-beside-probabilities": Case(
        "error",
        "the key's labels in the column label, since the probabilities are the answers",
        "if it has the answers, say so: --run-column label=label; if not, leave it out of the file",
    ),
    "ids-beside-none": Case(
        "error",
        "the rows in the order of the test set, which has no ids: rows can then be matched by their order only",
        "give the test set the same ids, or put the rows in its order",
    ),
    "ranked-by": Case(
        "warning",
        "a line `ranked-by: entailment` or `ranked-by: response` before the first pair",
        "add it, or use --ranked-by entailment (as in RTE-4) or --ranked-by response (as in TREC 2002)",
    ),
    "not-sound": Case(
        "warning",
        "all ENTAILMENT lines before the others",
        "see `sound` in the scores, which compares labels with the ranking",
    ),
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
    "verdicts-differ": Case("error", "one verdict on a document and string", "keep the correct one"),
    "judged-twice": Case("warning", "each document and string judged once", "nothing to do; the verdicts agree"),
    "odd-verdict": Case("warning", "{what}", "nothing to do; check the judgments there"),
    "no-group": Case(
        "warning", "a group for every correct answer to a list question", "nothing to do; each string is its own group"
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
        "warning", "vital or okay", "nothing to do; the nugget is left out (with --missing zero it has weight 0)"
    ),
    "assignment": Case(
        "warning",
        "support, partial_support or not_support, or 1, 0.5 or 0",
        "nothing to do; the nugget is left out for this run (with --missing zero it counts as not supported)",
    ),
    "no-vital": Case("error", "a vital nugget in every list", "mark one as vital, or remove the question"),
    "no-assignment": Case(
        "warning", "every run judged on every topic", "nothing to do; the topic is left out of the means of all runs"
    ),
    "list-left-out": Case(
        "warning",
        "every run judged against each assessor's list",
        "have the runs judged; until then the list is left out of the question, which changes the scores of all runs",
    ),
    "no-text": Case("warning", "the answer of every run", "nothing to do; F leaves the topic out, other scores do not"),
    "unknown-nugget": Case("error", "a nugget of the list", "correct it, or check that the files belong together"),
    "nugget-list": Case(
        "warning", "the nuggets of the list given", "nothing to do; the run is scored with the nuggets of its own file"
    ),
    "run-without": Case("error", "{what}", "add what is missing, or leave the run out"),
    "run-beside": Case("warning", "the runs whose answers are given", "nothing to do; the other runs are left out"),
    "citation": Case("warning", "citations of the answer's own references", "nothing to do; citations are not scored"),
    "duplicate-run": Case("error", "runs with different names", "rename one of the two"),
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
    # ballots
    "no-label": Case(
        "warning", "a text that begins with {labels}", "nothing to do; it is not counted as a ballot, but as missing"
    ),
    "other-unit": Case("warning", "{what}", "check that the rows belong together; its ballots are left out"),
    "rare-label": Case("warning", "labels that occur more often ({labels})", "{fix}; otherwise nothing to do"),
    "many-labels": Case(
        "warning",
        "a handful of different labels, since they have no order",
        "check the column (--ballot-column label=NAME), or use --level ordinal or interval if they are numbers",
    ),
    "adjudications": Case(
        "warning",
        "rows without a reason, which are ballots",
        "nothing to do; they are adjudications, not ballots: `keys` shows how disputes were settled",
    ),
    "programs": Case(
        "warning",
        "ballots of people; the column `program` says that these are not",
        "nothing to do if programs are to be counted among the assessors; otherwise leave their rows out",
    ),
    # engines
    "no-parse": Case(
        "error",
        "a parse of every text and hypothesis: documents PAIR/T and PAIR/H",
        "add it, or create the file again from these pairs",
    ),
    "tree": Case("error", "{what}", "correct it there"),
    "rule": Case("error", "{what}", "correct the line, or remove it"),
    "more": Case("error", "fewer of one kind", "fix those listed first; the rest are similar"),
}
