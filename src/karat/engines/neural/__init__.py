"""Neural networks that were trained on entailment elsewhere, run from their files on this machine."""
