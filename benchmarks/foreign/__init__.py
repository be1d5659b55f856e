"""Foreign sheets: pads, pens and a camera written without sight of the workshop's, to measure the scanner on.

``python -m benchmarks.foreign --out DIR`` draws photos with their truth, ``python -m benchmarks.foreign.report DIR``
scans them and prints what was right, by fault. Nothing here is imported by the scanner, and nothing of the workshop is
imported here; whoever changes the scanner should not tune it to these photos.
"""
