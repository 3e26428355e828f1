"""Every setting of the recipe, in one dataclass.

`config/<name>.json` overrides settings by name; a name that is not a setting fails.
The other scripts take the configuration's name as their first argument.
"""

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

CONFIG_FOLDER = Path(__file__).parent / "config"


@dataclass(frozen=True)
class Settings:
    name: str = "svc-o1-mini"  # general.name of the exported file
    seed: int = 1

    # Architecture (llama). Widths are multiples of 32, because Q8_0 stores blocks of 32 weights.
    vocab_size: int = 8192
    width: int = 256
    layers: int = 5
    heads: int = 4
    kv_heads: int = 4
    ffn_width: int = 672
    context: int = 2048  # tokens, as the exported file declares
    rope_base: float = 50_000.0
    norm_epsilon: float = 1e-5

    # Data
    generated_conversations: int = 120_000
    drills: int = 16_000
    long_drills: int = 400  # drills on long pages, plus five thirds of this number that find one hidden sentence
    random_texts: int = 8_000  # texts of recurring random tokens, plus the same number with pairs of tokens
    sessions: int = 20_000  # conversations of many questions on one text, plus a fifth of this number on prose
    basics: int = 60_000  # first requests of new users, plus a sixth of this number of prose summaries
    prose_characters: int = 13_000_000
    prose_per_source: int = 420_000  # characters
    handwritten: dict = field(default_factory=dict)  # kind of generate/handwritten -> conversations
    matches: int = 0  # choices among words, meanings, kinds and titles
    source_scale: float = 1.0  # multiplies every cap in texts/mixes.py

    fresh_workers: int = 0  # processes that draw new texts while the model trains; 0: the prepared files are repeated

    # Training. A stage has a mix (texts/mixes.py), a context, a loss (see batches.SHARES), and either `tokens` or
    # `share`. Stages with `tokens` run first, one after the other. Those with `share` then alternate until the end.
    stages: list = field(default_factory=list)
    train_tokens: int = 14_000_000
    batch_tokens: int = 8192
    muon_rate: float = 0.02
    adam_rate: float = 3e-3
    warmup_steps: int = 40
    decay_from: float = 0.35  # share of the run after which the rates fall linearly to 0
    weight_decay: float = 0.05
    checkpoint_minutes: float = 3.0
    dev_minutes: float = 10.0

    # For a run that begins with an exported file. Its result is a weighted mean of the trained weights, which get this
    # share, and the file's weights, which get the rest.
    polish_share: float = 1.0

    # Export. Multiplies the logits, through the last norm: a request at temperature T gets the output of the trained
    # model at T / logit_scale. The API's default temperature of 0.7 is too high for a model of this size.
    logit_scale: float = 1.0


def load_settings(config_name: str) -> Settings:
    path = CONFIG_FOLDER / f"{config_name}.json"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in CONFIG_FOLDER.glob("*.json")))
        raise SystemExit(f"There is no configuration '{config_name}'; choose one of: {known}.")
    overrides = json.loads(path.read_text())
    unknown = sorted(set(overrides) - {f.name for f in fields(Settings)})
    if unknown:
        raise SystemExit(f"{path.name} sets '{unknown[0]}', which is not a setting.")
    settings = Settings(**overrides)
    for name in ("width", "ffn_width"):
        if getattr(settings, name) % 32:
            raise SystemExit(f"{path.name} sets {name} to {getattr(settings, name)}, which does not divide by 32.")
    if settings.width % settings.heads or settings.heads % settings.kv_heads:
        raise SystemExit(f"{path.name} needs width to divide by heads and heads to divide by kv_heads.")
    return settings


def architecture(settings: Settings) -> dict:
    """Returns the settings that must match between a checkpoint and the configuration that continues or exports it."""
    names = ("vocab_size", "width", "layers", "heads", "kv_heads", "ffn_width", "context", "rope_base", "norm_epsilon")
    return {name: asdict(settings)[name] for name in names}
