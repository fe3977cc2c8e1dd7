"""The server: tables that survive anything, for people and bots on every device."""
