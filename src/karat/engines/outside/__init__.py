"""Any system, in any language, as an engine: `outside(command='python3 my_system.py')`.

The program is started once (once in each process that answers; no shell reads the command) and talks in lines of JSON,
UTF-8, one object per line: karat writes to its standard input, and it answers on its standard output, which it flushes.
Nothing but answers goes there; messages for people go to standard error, whose end karat quotes when the program fails.

1. karat writes the opening, and the program says that it is ready, by a name (and version) of its own:

       {"karat": 1, "task": "predict", "way": "3", "seed": 0}
       {"ready": true, "name": "my system 1.2"}

   `task` is `fit` or `predict`. `way` is `3` (ENTAILMENT, UNKNOWN, CONTRADICTION) or `2` (ENTAILMENT, NO_ENTAILMENT).
   Whatever the program does at random follows from `seed`. After a fit, the opening of predict has `state`.

2. karat writes pairs, and a line that ends them. `setting` is what kind of data a pair comes from, or null; `label`
   is there in a fit alone:

       {"id": "17", "text": "…", "hypothesis": "…", "setting": "QA", "label": "UNKNOWN"}
       {"end": true}

3. In predict, the program answers each pair once, when and in which order it likes, and then the end by the same line:

       {"id": "17", "label": "ENTAILMENT", "confidence": 0.8, "justification": "…", "evidence": [["T", 0, 25]]}
       {"end": true}

   Only `id` and `label` must be there. `label` may be spelled in every way that run files may. `confidence`, from 0 to
   1, is how sure it is of its label. `evidence` are stretches of T and H, in characters (code points) from 0, without
   the one at the end. A pair that it cannot answer it may give up: `{"id": "17", "error": "too long"}`.
   More pairs may follow, again with an end. The program leaves when its input ends; it may leave after any end, and is
   then started anew for the next pairs.

4. In fit, it answers the end by what it learnt, any JSON (null for nothing), which karat keeps in the model:

       {"state": {"threshold": 0.4}}

Who needs long says `{"wait": true}` now and then: after `timeout` seconds of silence the program is given up, and after
`patience` seconds in which it only asks to wait. A line has at most 64 MiB.
A pair that is not answered, or not so, is a failed pair: UNKNOWN, confidence 0, listed with its reason. A program that
stops or falls silent is started once more for the pairs it owes, the one it may have died of last.
"""
