import argparse
from pathlib import Path

from ..draw import Draw
from . import RENDERERS, conversations
from . import __doc__ as usage
from .read import read_records

arguments = argparse.ArgumentParser(
    prog="generate.handwritten", description=usage, formatter_class=argparse.RawDescriptionHelpFormatter
)
arguments.add_argument("count", nargs="?", type=int, default=5)
arguments.add_argument("--data", type=Path, required=True)
arguments.add_argument("--kind", choices=list(RENDERERS), action="append")
arguments.add_argument("--seed", default="0")
given = arguments.parse_args()
records, draw = read_records(given.data), Draw(given.seed)
for kind in given.kind or RENDERERS:
    for messages in conversations(records, kind, given.count, draw):
        print(f"[{kind}]")
        for message in messages:
            print(f"{message['role']}: {message['content']}")
        print()
