"""What people and programs see of a scan: the JSON document, a table for the terminal, the picture with all on it."""
