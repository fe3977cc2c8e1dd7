"""Benchmarks, each beside its peers. Run them from the project's root; see README.md here."""
