"""Problems of campaigns: of submissions, requests, keys and judgments."""

from __future__ import annotations

from karat.catalogue.case import Case

CAMPAIGNS: dict[str, Case] = {
    # campaigns
    "toml": Case("error", "a campaign file in TOML", "fix the file there, or just before"),
    "yaml": Case("error", "a competition file in YAML", "fix the file there, or just before"),
    "not-taken-over": Case("warning", "what a campaign has too", "nothing to do; {why}"),
    "campaign-key": Case("error", "one of {known}", "correct the key, or remove it"),
    "campaign-missing": Case("error", "a value", "add it"),
    "campaign-value": Case("error", "{what}", "correct it"),
    "campaign-file": Case("error", "{what}", "name another file, or correct this one"),
    "archive": Case("error", "{what}", "take the archive as it was exported, or export the campaign again"),
    "gives-key-away": Case("warning", "{what}", "{fix}"),
    "no-questions": Case(
        "warning", "questions", "let assessors write series of questions, and make the test set from these"
    ),
    "no-key": Case("warning", "labels, by which runs are scored", "nothing to do if people will judge the pairs"),
    # new keys
    "key-missing": Case(
        "error", "every pair of the test set", "add it, with `-` as its label if it is not to be scored any more"
    ),
    "key-unknown": Case("error", "the pairs of the test set and no others", "remove it, or correct its id"),
    "key-text": Case("error", "the texts that teams were given", "give a table of ids and labels, without texts"),
    "key-labels": Case("error", "{what}", "correct the labels, or name the task that they are for"),
    # submissions
    "not-open": Case("error", "a submission from {opens} on", "send it again then"),
    "closed": Case("error", "a submission by {closes}", "ask the organisers whether they can extend your deadline"),
    "not-signed": Case("error", "a team that has accepted the agreement", "accept it on the campaign's page"),
    "no-runs-taken": Case("error", "a task that takes runs", "submit to another task"),
    "run-limit": Case("error", "at most {limit} for each team", "send it under the number of the run it replaces"),
    "run-changed": Case("error", "the run that you saw under this number", "look at what is there now, then try again"),
    "too-many-lines": Case("error", "at most {limit}", "check that it is the file that you meant"),
    "not-text": Case("error", "text, plain or gzip", "write the run as plain lines, CSV, TSV or JSON lines"),
    "several-runs": Case("error", "one run", "send each run in a file of its own"),
    "two-way-key": Case(
        "error", "three labels, which a task has unless it says otherwise", "say `way = 2` in the task"
    ),
    "other-way": Case("error", "{what}", "submit it to the task for its labels"),
    "no-justifications": Case("error", "a justification for every pair", "send JSON lines with a `justification`"),
    "stray-justifications": Case("warning", "a run without justifications", "nothing to do; they are kept"),
    "not-ranked": Case("error", "a ranking", "add a confidence to every line, or `ranked-by: entailment` at the top"),
    "same-as-fold": Case(
        "warning", "a run of its own", "nothing to do; it is scored, but the three-way run is scored two-way already"
    ),
    # requests of programs
    "request": Case("error", "{what}", "correct the request"),
    "token": Case("error", "the token of an account", "make a new one on your page, or ask the organisers for one"),
    "not-found": Case("error", "something that this account can see", "check the names in the address"),
    "not-allowed": Case("error", "{what}", "{fix}"),
    "failed": Case("error", "an answer", "send it again; what is sent twice is stored once"),
    "too-often": Case("error", "at most {limit}", "wait for {seconds} seconds, then send it again"),
    # judging
    "ballot": Case("error", "{what}", "correct the judgment, and send it again"),
    "ballot-id": Case("error", "an id that was not used for another judgment", "make a new id for every judgment"),
    "judgment-changed": Case(
        "error",
        "a change of what you said last",
        "look at what is stored now; if yours is to replace it, send it again with the id of that as `instead_of`",
    ),
    "not-assigned": Case("error", "something that was given to you to judge", "ask for the next unit"),
    "other-account": Case("error", "judgments under your own account", "log in again as whoever judged"),
    "not-qualified": Case("error", "an assessor who has qualified", "judge the examples first: ask for the next unit"),
    "round-closed": Case("error", "a judgment while its round was open", "ask the organisers to open the round again"),
}
