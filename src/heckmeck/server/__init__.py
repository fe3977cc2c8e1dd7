"""The server: persistent tables for people and bots on any device."""
