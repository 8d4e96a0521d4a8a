"""Settings: schema, layers, expansion of variables, where each value came from, and the paths under MEWCODE_HOME."""
