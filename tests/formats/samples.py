"""One small file of every format, as its authors write it. All texts are made up."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping

import polars
from tools import harness_logs as logs

RTE = """<?xml version="1.0" encoding="UTF-8"?>
<entailment-corpus>
<pair id="1" entailment="YES" task="IE"><t>Ann sold Bo a car.</t><h>Bo has a car.</h></pair>
<pair id="2" entailment="UNKNOWN" task="QA"><t>Ann sold a car.</t><h>Bo has a car.</h></pair>
<pair id="3" entailment="NO" task="IR"><t>Nobody sold a car.</t><h>Ann sold a car.</h></pair>
</entailment-corpus>
"""

FRACAS = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fracas-problems SYSTEM "fracas-problems.dtd">
<fracas-problems>
<comment class="section"> 1 QUANTIFIERS </comment>
<comment class="subsection"> 1.1 Some </comment>
<problem id="001" fracas_answer="yes">
  <p idx="1"> A man won. </p>
  <p idx="2"> Every winner
     sings. </p>
  <q> Does a man sing? </q>
  <h> A man sings. </h>
</problem>
<comment class="section"> 2 PLURALS </comment>
<problem id="002" fracas_answer="undef"><p idx="1">Few won.</p><q>Who?</q><h></h></problem>
<problem id="003" fracas_answer="no"><p idx="1">Nobody won.</p><q>Did Ann win?</q><h>Ann won.</h></problem>
</fracas-problems>
"""


def lines(*rows: Mapping[str, object]) -> str:
    """Rows as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def tabs(*rows: str) -> str:
    """Rows whose fields are given with | between, as tab-separated lines."""
    return "".join(row.replace("|", "\t") + "\n" for row in rows)


SNLI = lines(
    {
        "annotator_labels": ["neutral", "entailment", "neutral"],
        "gold_label": "neutral",
        "captionID": "7.jpg",
        "pairID": "7.jpg#1",
        "sentence1": "A dog runs.",
        "sentence2": "A dog barks.",
    },
    {
        "annotator_labels": ["contradiction", "entailment"],
        "gold_label": "-",
        "captionID": "7.jpg",
        "pairID": "7.jpg#2",
        "sentence1": "A dog runs.",
        "sentence2": "A cat runs.",
    },
)
MULTINLI = tabs(
    "index|promptID|pairID|genre|sentence1|sentence2|label1|label2|label3|label4|label5|gold_label",
    '0|9|9e|travel|"Quite" said he.|He spoke.|entailment|entailment|neutral|||entailment',
    "1|9|9n|travel|He spoke.|He sang.|neutral|||||neutral",
)
HANS = tabs(
    "gold_label|sentence1_binary_parse|sentence1|sentence2|pairID|heuristic|subcase|template",
    "non-entailment|x|The judge saw the actor.|The actor saw the judge.|ex0|lexical_overlap|ln_subject|temp1",
    "entailment|x|The judge and the actor ran.|The actor ran.|ex1|lexical_overlap|le_conjunction|temp2",
)
ANLI = lines(
    {"uid": "a1", "context": "Ann sings.", "hypothesis": "Ann is silent.", "label": "c", "reason": "she sings"},
    {"uid": "a2", "context": "Ann sings.", "hypothesis": "Ann is old.", "label": "n", "reason": ""},
)
ANLI_TAGS = (
    "context,statement,reason,adversary_pred,gold_label,A1Code,A1Notes,eid,uid,tags,preds-one\r\n"
    '"Ann said: ""no"",\r\nand left.",Ann left.,stated,c,e,,,7,u1,"Numerical, Tricky",n\r\n'
    "Bo came.,Bo stayed.,,e,n,,,8,u2,,e\r\n"
)
SICK = tabs(
    "pair_ID|sentence_A|sentence_B|relatedness_score|entailment_judgment",
    "4|A boy plays.|No boy plays.|3.6|CONTRADICTION",
    "24|A boy plays.|A child plays.|4.4|ENTAILMENT",
    "25|A boy plays.|A boy wins.|3.1|NEUTRAL",
)
GLUE = tabs(
    "index|sentence1|sentence2|label", "0|Ann won.|Ann played.|entailment", "1|Ann played.|Ann won.|not_entailment"
)
QNLI = tabs("index|question|sentence|label", "0|Who won?|Ann won.|entailment", "1|Who won?|Bo lost.|not_entailment")
DIAGNOSTIC = tabs(
    "Lexical Semantics|Predicate-Argument Structure|Logic|Knowledge|Domain|Premise|Hypothesis|Label",
    "||Negation||Artificial|Ann sat.|Ann did not sit.|contradiction",
    "Quantifiers||||Artificial|All sat.|Ann sat.|entailment",
)
CHAOS = lines(
    {
        "uid": "c1",
        "label_counter": {"e": 3, "n": 1},
        "majority_label": "e",
        "label_dist": [0.75, 0.25, 0.0],
        "label_count": [3, 1, 0],
        "entropy": 0.8,
        "example": {"uid": "c1", "premise": "Ann ran.", "hypothesis": "Ann moved.", "source": "snli_agree_3"},
        "old_label": "n",
        "old_labels": ["entailment", "neutral", "neutral"],
    }
)
TABLE = "id,text,hypothesis,label,topic\nx1,Ann ran.,Ann moved.,YES,sport\nx2,Ann ran.,Ann sat.,NO,\n"


def parquet(**columns: list[object]) -> bytes:
    """Columns as a Parquet file."""
    buffer = io.BytesIO()
    polars.DataFrame(columns).write_parquet(buffer)
    return buffer.getvalue()


PAIRS: list[tuple[str, str, bytes]] = [
    ("rte", "key.xml", RTE.encode()),
    ("fracas", "key.xml", FRACAS.encode()),
    ("snli", "key.jsonl", SNLI.encode()),
    ("snli", "key.tsv", MULTINLI.encode()),
    ("hans", "key.txt", HANS.encode()),
    ("anli", "key.jsonl", ANLI.encode()),
    ("anli-tags", "key.csv", ANLI_TAGS.encode()),
    ("sick", "key.txt", SICK.encode()),
    ("glue", "key.tsv", GLUE.encode()),
    ("glue", "qnli.tsv", QNLI.encode()),
    ("glue-diagnostic", "key.tsv", DIAGNOSTIC.encode()),
    ("chaosnli", "key.jsonl", CHAOS.encode()),
    ("lm-eval", "samples.jsonl", logs.lm_eval()),
    ("inspect", "log.json", logs.inspect_json()),
    ("inspect", "log.eval", logs.inspect_eval()),
    ("openai-evals", "log.jsonl", logs.openai_evals()),
    ("promptfoo", "output.json", logs.promptfoo()),
    ("helm", "instances.json", logs.helm(what="instances")),
    ("helm", "scenario_state.json", logs.helm()),
    ("labels", "gold.csv", b"p0,contradiction\np1,not enough info\np2,Entailment\n"),
    ("table", "key.csv", TABLE.encode()),
    ("table", "key.parquet", parquet(id=["1"], text=["a"], hypothesis=["b"], label=["YES"])),
]
"""Format, name of the file, bytes."""

RUNS: list[tuple[str, str, bytes]] = [
    ("plain", "run.txt", b"1 YES\n2 UNKNOWN\n3 NO\n"),
    ("plain", "words.txt", b"1 ENTAILMENT\n2 NO ENTAILMENT\n3 NO ENTAILMENT\n"),
    ("plain", "first.txt", b"1 NO ENTAILMENT\n2 NO ENTAILMENT\n3 ENTAILMENT\n"),
    ("plain", "confident.txt", b"1 YES 0.9\n2 UNKNOWN 0.5\n3 CONTRADICTION 0.1\n"),
    ("plain", "tabs.tsv", b"1\tentailment\n2\tneutral\n3\tcontradiction\n"),
    ("plain", "ranked.txt", b"ranked: yes\n1 YES\n2 UNKNOWN\n3 NO\n"),
    (
        "excitement",
        "eop.txt",
        b"2\tNONENTAILMENT\tNonEntailment\t0.2\n1\tYES\tEntailment\t.5\n3\tNO\tEntailment\t1\n",
    ),
    ("excitement", "rte.txt", b"2\tNO\tENTAILMENT\t0.2\n1\tYES\tENTAILMENT\t0.5\n3\tNO\tCONTRADICTION\t1\n"),
    ("langpro", "run.ans", b"===== HYBRID =====\n%%% 3 problems\n1\tENTAILMENT\n2\tNEUTRAL\n3\tCONTRADICTION\n"),
    ("lm-eval", "samples.jsonl", logs.lm_eval()),
    ("lm-eval", "generated.jsonl", logs.lm_eval(old=True)),
    ("inspect", "log.json", logs.inspect_json()),
    ("inspect", "log.eval", logs.inspect_eval()),
    ("openai-evals", "log.jsonl", logs.openai_evals().replace(b"nli.dev.", b"")),
    ("promptfoo", "output.json", logs.promptfoo()),
    ("promptfoo", "output.jsonl", logs.json_lines(logs.promptfoo_results({"openai:one": logs.ROWS}))),
    ("helm", "scenario_state.json", logs.helm().replace(b'"id": "id', b'"id": "')),
    ("helm", "display_predictions.json", logs.helm(what="predictions").replace(b': "id', b': "')),
    ("label-studio", "export.json", logs.label_studio(logs.ANNOTATED, logs.PREDICTED)),
    ("batch-output", "replies.jsonl", logs.batch_output()),
    ("labels", "bare.txt", b"contradiction\nNOT ENOUGH INFO\nEntailment.\n"),
    ("labels", "rows.csv", b"0,contradiction\n1,not enough info\n2,Entailment\n"),
    ("labels", "bare.json", b'["E", "N", "C"]\n'),
    ("table", "run.jsonl", lines(*({"id": i, "label": "neutral", "confidence": 0.5} for i in (1, 2, 3))).encode()),
    ("table", "hans.csv", b"pairID,gold_label\n1,entailment\n2,non-entailment\n3,non-entailment\n"),
    ("table", "run.tsv", b"id\tlabel\n1\tentailment\n2\tneutral\n3\tcontradiction\n"),
    ("table", "likely.csv", b"id,p_entailment,p_neutral,p_contradiction\n1,.8,.1,.1\n2,.2,.5,.3\n3,0,.5,.5\n"),
    ("table", "likely.jsonl", lines(*({"id": i, "probs": {"E": 0.5, "N": 0.3, "C": 0.2}} for i in (1, 2, 3))).encode()),
    ("table", "run.parquet", parquet(id=["1", "2", "3"], prediction=["E", "N", "C"])),
]
"""The same for runs, each on pairs 1, 2, 3."""
