"""Support: answers scored by what the documents that they cite say, as in TREC RAG."""
