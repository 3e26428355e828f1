"""The command line of the evaluation."""

import argparse
import hashlib
import os
import time
from pathlib import Path

from . import __doc__ as usage
from .chat_sets import CHAT_SETS
from .client import Service
from .generated_sets import GENERATED_SETS
from .handwritten_sets import HANDWRITTEN_SETS
from .public_sets import PUBLIC_SETS
from .report import sample_dialogues, write_report
from .sets import Data, Result, Set

SETS = [*PUBLIC_SETS, *GENERATED_SETS, *CHAT_SETS, *HANDWRITTEN_SETS]
RESULTS = Path(__file__).parent.parent / "RESULTS.md"


def main():
    given = parse_arguments()
    chosen = [one for one in SETS if not given.only or one.name in given.only]
    data = Data(given.data, chosen)
    if given.model and not given.model.is_file():
        raise SystemExit(f"There is no model file at {given.model}.")
    service = Service(given.url, given.key)
    file_hash = hashlib.sha256(given.model.read_bytes()).hexdigest() if given.model else None
    started = time.monotonic()
    results = [result for one in chosen if (result := measure(one, data, service, given.rows, given.parallel))]
    samples = sample_dialogues(data, service, given.parallel) if not given.only else []
    report = write_report(results, samples, service, file_hash, given.rows, time.monotonic() - started)
    print("\n" + report.partition("\n## Sample dialogues")[0])
    if given.results or not given.only:
        path = given.results or RESULTS
        unfinished = path.with_name(path.name + ".unfinished")
        unfinished.write_text(report, encoding="utf-8")
        os.replace(unfinished, path)
        print(f"The report is in {path}.")


def parse_arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(
        prog="evaluation", description=usage, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [one.name for one in SETS]
    arguments.add_argument("--data", type=Path, help="the data folder")
    url = os.environ.get("PIPIT_BASE_URL", "http://127.0.0.1:8080")
    arguments.add_argument("--url", default=url, help="the service's base URL (PIPIT_BASE_URL)")
    arguments.add_argument("--key", default=os.environ.get("PIPIT_API_KEY", ""), help="API key (PIPIT_API_KEY)")
    arguments.add_argument("--rows", type=int, default=300, help="rows per set")
    arguments.add_argument("--parallel", type=int, default=4, help="concurrent requests")
    arguments.add_argument("--only", nargs="+", metavar="NAME", help=f"sets to run: {', '.join(names)}")
    arguments.add_argument("--results", type=Path, help="the report's file; --only writes no file without it")
    arguments.add_argument("--model", type=Path, help="the model's file, whose SHA-256 the report names")
    given = arguments.parse_args()
    unknown = sorted(set(given.only or []) - set(names))
    if unknown:
        raise SystemExit(f"There is no set '{unknown[0]}'. Choose from: {', '.join(names)}.")
    if given.rows < 1 or given.parallel < 1:
        raise SystemExit("--rows and --parallel must be at least 1.")
    return given


def measure(one: Set, data: Data, service: Service, rows: int, parallel: int) -> Result | None:
    """Runs one set against the service. Returns None for a set without cases."""
    started = time.monotonic()
    cases = one.build(data, rows)
    if not cases:
        print(f"{one.name}: skipped, because no generator makes such rows", flush=True)
        return None
    replies = service.talk_all(cases, parallel)
    measures = one.score(data, cases, replies)
    figures = ", ".join(f"{m.name} {m.mean_and_error()[0]:.3g}" for m in measures[:3])
    print(f"{one.name}: {len(cases)} rows in {time.monotonic() - started:.0f} s: {figures}", flush=True)
    return Result(one, len(cases), [reply for talk in replies for reply in talk], measures)


if __name__ == "__main__":
    main()
