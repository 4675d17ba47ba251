"""Nuggets: answers scored by what they should say, as in TREC QA and as in TREC RAG."""
