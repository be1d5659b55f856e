"""One module per command of ``clabber``: each takes plain values, prints, and returns an exit status."""
