"""Problems of files, test sets, runs, scores, ballots and engines."""

from __future__ import annotations

from karat.catalogue.case import Case

DATA: dict[str, Case] = {
    # files
    "unreadable": Case("error", "a file that can be read", "check the path and its permissions"),
    "key-folder": Case(
        "error", "the file of the key, or a folder of logs, which have it", "name the file with the labels of the key"
    ),
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
    "cut-off": Case(
        "error",
        "a last row that is whole",
        "give the whole file; what is answered already is kept, and the same command goes on from there",
    ),
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
        "error",
        "a JSON array of objects",
        "fix it there; JSON lines, one object per line, are read too",
    ),
    "workbook": Case("error", "an Excel workbook (.xlsx) that can be read", "save it again, or export it as CSV"),
    "log": Case("error", "{what}", "{fix}"),
    "cancelled": Case("warning", "annotations that were submitted", "nothing to do; cancelled ones are left out"),
    "predictions": Case(
        "warning",
        "annotations, which are the ballots",
        "nothing to do if they are no ballots; to compare them with people, give them as a table of unit, assessor and "
        "label too (--also FILE)",
    ),
    "several-sheets": Case(
        "warning",
        "one sheet with data",
        "nothing to do if this is the one you mean; otherwise name the sheet after the file: FILE.xlsx#SHEET",
    ),
    "columns": Case("error", "{what}", "fix the line; look for a stray delimiter or a missing field"),
    "no-column": Case("error", "{what}", "name it: {option} {role}NAME"),
    "which-column": Case(
        "error",
        "one column of answers",
        "say which it is: --run-column label=NAME, or --run-columns {names} for several",
    ),
    "which-key": Case("error", "one column with the labels of the key", "say which it is: --column label=NAME"),
    "no-answers": Case(
        "error",
        "answers beside the labels of the key",
        "name the files of the runs, or the columns with answers: --run-columns NAME,NAME",
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
    "label-outside-task": Case(
        "error",
        "one of {labels}",
        "correct it, or say what it means: --label {spelled}=LABEL; --unparsed wrong counts such answers as wrong",
    ),
    "label-in-text": Case("error", "a label, with nothing around it", "write the label alone"),
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
    "two-id-columns": Case(
        "warning", "one column of ids", "nothing to do if {taken} is meant; otherwise --run-column id={other}"
    ),
    "empty-text": Case("error", "a text and a hypothesis", "fill it in"),
    # runs
    "unknown-id": Case("error", "an id of the test set", "correct it, or check that run and key belong together"),
    "other-texts": Case(
        "error",
        "the key's texts by the same ids",
        "check that run and key belong together; if only the ids are wrong, leave them out, and rows are matched by "
        "their texts; if the run's texts were changed on purpose, leave the texts out",
    ),
    "some-other-texts": Case(
        "warning", "the key's texts by the same ids", "check that run and key are of the same version of the test set"
    ),
    "id-form": Case(
        "error",
        "ids as they are in the test set",
        "write them alike: Excel turns 08 in a CSV into 8, so keep ids as text there, and read them as text in pandas "
        "(dtype=str); pandas writes 1000 as 1000.0 where an id is missing, so convert them before writing "
        "(astype('Int64'))",
    ),
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
        "say how to find the label in it: --answer-pattern REGEX ('^\\w+' is its first word); or count answers "
        "that are no label: --unparsed wrong, or --unparsed unknown",
    ),
    "missing-answers": Case("warning", "an answer to every pair", "nothing to do; each of these counts as wrong"),
    "unparsed": Case("warning", "one of {labels} for every pair", "nothing to do; each of these counts as {treated}"),
    "bad-run": Case(
        "warning",
        "a run that can be read",
        "fix it to include it; this result is without it (karat check lists its errors)",
    ),
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
    "two-way-runs": Case(
        "warning",
        "three-way answers, as in the key",
        "nothing to do if two-way scores are wanted (--way 2 says so): all runs are compared two-way because of these; "
        "otherwise leave them out",
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
        "the label of each place of the list, or of each column",
        "say it for all: {needed}, for example --label 0=ENTAILMENT",
    ),
    "not-likeliest": Case(
        "warning",
        "the label with the highest probability as answer",
        "nothing to do if a threshold was used; the answers are scored as given",
    ),
    "confidence": Case("error", "a finite number as confidence", "correct it, or leave the column out"),
    "score": Case(
        "error",
        "a finite number, or nothing if the unit is not scored",
        "correct it, or leave it empty; take columns out that are no scores",
    ),
    "notes": Case(
        "warning", "numbers in every column but the first", "nothing to do; columns of texts are left out of the scores"
    ),
    "no-score": Case("warning", "units on which some run is scored", "nothing to do; they are left out"),
    "which-score": Case("error", "{what}", "{fix}"),
    "which-judge": Case("error", "{what}", "keep one judge's rows, or compare the judges with `karat meta`"),
    "duplicate-judge": Case("error", "judges with different names", "rename one of the two files"),
    "transposed": Case(
        "warning",
        "one row per run and one column per unit",
        "nothing to do: rows are units, since the first column is {heading}; if they are runs, call it `run`",
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
        "the answers of a system, which are rarely all right",
        "check that these are its answers, and not the key again; for a file, --run-column label=NAME says which",
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
    # ballots
    "no-label": Case("warning", "{what}", "nothing to do; it is not counted as a ballot, but as missing"),
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
    "more": Case("error", "fewer of one kind", "fix those listed first; the rest are similar"),
}
