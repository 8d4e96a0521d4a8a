"""The composition root: the only place that wires. One file for each part that it makes from the settings.

`mewcode.app.house.open_app` builds everything; `mewcode.app.options.AppOptions` says what a door wants.
"""
