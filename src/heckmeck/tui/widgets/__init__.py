"""The pieces of the table's screen. Each shows what it is given and reports what is clicked."""
