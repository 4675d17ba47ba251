"""Nuggets: answers scored by the facts they should hold, as in TREC QA and TREC RAG."""
