"""The composition root: reads settings, builds registry, gate, connections and agent; the only place that wires."""
