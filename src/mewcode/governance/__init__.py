"""The gate and its stages: rules, command analysis, limits, breaker, audit, trust labels, redaction, shaping."""
