import argparse

from . import __doc__ as usage
from . import generate_rows

arguments = argparse.ArgumentParser(
    prog="generate", description=usage, formatter_class=argparse.RawDescriptionHelpFormatter
)
arguments.add_argument("count", nargs="?", type=int, default=5)
arguments.add_argument("--seed", default="0")
arguments.add_argument("--task", action="append")
arguments.add_argument("--held-out", action="store_true")
given = arguments.parse_args()
for made in generate_rows(given.count, given.seed, given.held_out, given.task):
    print(f"[{made['task']}]")
    for message in made["messages"]:
        print(f"{message['role']}: {message['content']}")
    print()
