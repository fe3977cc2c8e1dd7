"""The compiled twin of the rules: thousands of tables at once, as rows of small numbers.

`heckmeck.rules` is the reference. Nothing else in the project restates a rule, and tests compare
the two, ending by ending. The modules import NumPy and Numba: import them where they are used.
"""
