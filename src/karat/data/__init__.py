"""The nouns: pairs, runs, responses, tables, orders, scores, ballots; results and sheets."""
