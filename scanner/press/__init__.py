"""Pads to print: the layouts the scanner reads, on paper, with marks and a code that make reading them certain."""
