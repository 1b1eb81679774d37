"""Training rows of engines judged: planes, policies and values as networks learn from them.

`rows` is the plain layout, `codes` what can be found, `check` the judge; `leela_zero` and `katago` read the files of
these engines into the plain layout.
"""
