"""Properties of the queries of each task, which divide them into groups; see `ir_coliee.analysis.query_properties`."""
