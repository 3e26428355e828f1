"""Measures a running service by its replies at temperature 0, and writes RESULTS.md.

python3 -m evaluation --data DATA                               # http://127.0.0.1:8080, API key in PIPIT_API_KEY
python3 -m evaluation --data DATA --rows 30 --only snips chat   # a short run: prints the report, writes no file
python3 -m evaluation --help

DATA is the folder that prepare.py reads. The questions come from its dev/ part, from the dev files of handwritten/ and
from the held-out entries of generate/. Naive Bayes and the word list learn from its train/ part. The evaluation needs
Python's standard library and the program `zstd`, and takes about ten minutes on two cores.
"""
