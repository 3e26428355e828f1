"""Draws the loss curve of a run.

    python3 plot.py --out out          # reads out/checkpoint.pt, writes out/loss.png

Needs matplotlib (Debian: python3-matplotlib). Without it, train.py prints one notice and continues.
"""

import argparse
from pathlib import Path

from settings import Settings


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", type=Path, default=Path(__file__).parent / "out")
    given = arguments.parse_args()
    import torch

    path = given.out / "checkpoint.pt"
    if not path.is_file():
        raise SystemExit(f"There is no checkpoint at {path}; run train.py first.")
    stored = torch.load(path, map_location="cpu")
    draw_curve(stored["run"], Settings(**stored["settings"]), given.out / "loss.png")


def draw_curve(run: dict, settings: Settings, path: Path) -> None:
    """Draws smoothed training loss and dev loss, in nats per token, over millions of tokens, and where stages begin."""
    try:
        import matplotlib
    except ImportError:
        if len(run["dev_losses"]) <= 1:
            print("No loss curve: matplotlib is not installed.", flush=True)
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5), dpi=110)
    try:
        axes.plot(
            [tokens / 1e6 for tokens, _ in run["losses"]],
            [loss for _, loss in run["losses"]],
            label="training (all mixes together)",
            linewidth=1,
        )
        for losses, label in (("dev_losses", "public"), ("handwritten_dev_losses", "hand-written")):
            axes.plot(
                [tokens / 1e6 for tokens, _ in run[losses]],
                [loss for _, loss in run[losses]],
                "o-",
                label=f"dev conversations, {label}, assistant's tokens",
            )
        reached = 0.0
        for name, tokens in [(stage["mix"], stage["tokens"]) for stage in settings.stages if "tokens" in stage] + [
            ("in turn", 0)
        ]:
            axes.axvline(reached / 1e6, color="grey", linewidth=0.5)
            axes.text(reached / 1e6, 0.02, f" {name}", transform=axes.get_xaxis_transform(), color="grey", fontsize=8)
            reached += tokens
        axes.set_xlabel("million tokens")
        axes.set_ylabel("nats per token")
        axes.set_ylim(0, 7)
        axes.set_xlim(0, max(1, run["tokens"]) / 1e6)
        axes.legend(loc="upper right")
        axes.set_title(f"{settings.name}: {settings.layers} layers × {settings.width}")
        figure.savefig(path)
    finally:
        pyplot.close(figure)


if __name__ == "__main__":
    main()
