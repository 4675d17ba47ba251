"""Studies: a user's question answered, one a file, with what it is made of beside it; each is loaded on its own."""

FIGURES = {
    "score": ("conditioned", "information", "confidence"),
    "diagnose": ("phenomena", "categories", "category-indices", "indices"),
    "compare": ("groups", "differences"),
    "qa": ("question-runs", "series", "question-scores", "question-beta"),
    "nuggets": ("nugget-scores", "beta"),
    "justify": ("mean-ranks", "ratings"),
    "items": ("difficulty",),
    "agree": ("coefficients", "agreement", "confusions"),
    "keys": ("key-scores", "random-ranks", "key-ranks", "key-tau"),
    "judge": ("judge-rates", "judge-scores", "judge-bias"),
    "sensitivity": ("sensitivity", "setting-ranks"),
    "swap": ("error-by-size", "error-by-difference"),
    "size": ("power",),
    "ablate": ("worth", "worth-by-value"),
}
"""What each study draws, in the order of the commands: so `karat figure` loads no study but the one that it needs."""
