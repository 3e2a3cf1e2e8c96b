"""The slow, plain-Python reading of every rule: the executable specification.

Nothing here imports the compiled core, and the compiled core takes nothing from here.
Each module has the pure functions of its game and a ``Game`` that plays one hand in the open.
"""
