"""SQLite files of what models have computed: replies, scores and embeddings."""
