"""Tables in a web page, on one device, without a server: the same core in the browser's Python.

The page speaks to `host` as it would to a server; the log of each table is kept by the browser.
"""
