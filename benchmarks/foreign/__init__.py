"""Foreign sheets: pads, pens and a camera written without sight of the workshop's, to measure the scanner on.

Nothing here is imported by the scanner, and nothing of the workshop is imported here; whoever changes this package
should not tune the scanner to it.
"""
