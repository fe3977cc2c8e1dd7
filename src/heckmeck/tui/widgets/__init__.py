"""The widgets of the table's screen. Each shows its data and reports clicks."""
