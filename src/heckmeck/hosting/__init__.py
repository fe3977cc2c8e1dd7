"""Hosting tables: what a server and a page do alike. It needs a clock and an event loop only."""
