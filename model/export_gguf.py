"""Exports a checkpoint as a GGUF file (Q8_0) for llama.cpp, with its tokenizer and chat template.

    python3 export_gguf.py mini --out out --to svc-o1-mini.gguf

The file is written beside its target, read back and checked: every tensor, the size, and the loss on the dev
conversations. It replaces the target only after that, so a failed export keeps the old file.
"""

import argparse
import hashlib
import os
import struct
from pathlib import Path

import numpy as np
import torch

from batches import Batches
from model import Model
from settings import Settings, load_settings
from tokenizer import CONTROL_TOKENS, END_OF_TEXT, MESSAGE_END, Tokenizer
from train import check_start, dev_loss, load_checkpoint, tokenizer_fingerprint

LARGEST_FILE_BYTES = 32_000_000
LARGEST_LOSS_CHANGE = 0.02
CHAT_TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + "
    "'\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)

# GGUF's value types, tensor types and token types.
UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
TENSOR_F32, TENSOR_Q8_0 = 0, 8
TOKEN_NORMAL, TOKEN_CONTROL = 1, 3
MOSTLY_Q8_0 = 7
ALIGNMENT, BLOCK = 32, 32
Q8_0_BLOCK = np.dtype([("scale", "<f2"), ("values", "i1", BLOCK)])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("config", nargs="?", default="mini")
    arguments.add_argument("--out", type=Path, default=Path(__file__).parent / "out")
    arguments.add_argument("--to", type=Path)
    given = arguments.parse_args()
    settings = load_settings(given.config)
    export(given.config, given.out, given.to or Path(__file__).parent / f"{settings.name}.gguf")


def export(config_name: str, out: Path, target: Path, start: dict | None = None) -> None:
    """Exports the checkpoint. With `start`, mixes its weights with those: `polish_share` is the checkpoint's share."""
    settings = load_settings(config_name)
    fingerprint = tokenizer_fingerprint(out)
    stored = load_checkpoint(out / "checkpoint.pt", config_name, settings, fingerprint)
    check_start(out, bool(start))
    weights = {name: weight.numpy() for name, weight in stored["model"].items()}
    for name, before in (start or {}).items():
        weights[name] = before.numpy() + np.float32(settings.polish_share) * (weights[name] - before.numpy())
    weights["output_norm.weight"] = weights["output_norm.weight"] * np.float32(settings.logit_scale)
    broken = [name for name, weight in weights.items() if not np.isfinite(weight).all()]
    if broken:
        raise SystemExit(f"The checkpoint's {broken[0]} holds values that are not numbers. {target.name} is unchanged.")
    unfinished = target.with_suffix(".unfinished")
    try:
        unfinished.write_bytes(gguf_bytes(settings, Tokenizer.load(out / "tokenizer.json"), weights))
        losses = check(unfinished, settings, weights, out)
        with open(unfinished, "rb") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)
    content = target.read_bytes()
    print(
        f"{target}: {len(content):,} bytes, sha256 {hashlib.sha256(content).hexdigest()}, "
        f"dev loss {losses[1]:.4f} (before quantization {losses[0]:.4f})"
    )


# --- writing ----------------------------------------------------------------------------------------------------


def gguf_bytes(settings: Settings, tokenizer: Tokenizer, weights: dict) -> bytes:
    metadata = [
        ("general.architecture", STRING, "llama"),
        ("general.name", STRING, settings.name),
        (
            "general.description",
            STRING,
            "A very small English chat model trained from scratch on openly licensed texts.",
        ),
        ("general.license", STRING, "cc-by-sa-4.0"),
        ("general.languages", ARRAY, (STRING, ["en"])),
        ("general.size_label", STRING, f"{sum(w.size for w in weights.values()) / 1e6:.1f}M"),
        ("general.file_type", UINT32, MOSTLY_Q8_0),
        ("general.quantization_version", UINT32, 2),
        ("llama.vocab_size", UINT32, settings.vocab_size),
        ("llama.context_length", UINT32, settings.context),
        ("llama.embedding_length", UINT32, settings.width),
        ("llama.block_count", UINT32, settings.layers),
        ("llama.feed_forward_length", UINT32, settings.ffn_width),
        ("llama.attention.head_count", UINT32, settings.heads),
        ("llama.attention.head_count_kv", UINT32, settings.kv_heads),
        ("llama.attention.layer_norm_rms_epsilon", FLOAT32, settings.norm_epsilon),
        ("llama.rope.dimension_count", UINT32, settings.width // settings.heads),
        ("llama.rope.freq_base", FLOAT32, settings.rope_base),
        ("tokenizer.ggml.model", STRING, "gpt2"),
        ("tokenizer.ggml.pre", STRING, "smollm"),
        ("tokenizer.ggml.tokens", ARRAY, (STRING, tokenizer.tokens)),
        (
            "tokenizer.ggml.token_type",
            ARRAY,
            (INT32, [TOKEN_CONTROL if t in CONTROL_TOKENS else TOKEN_NORMAL for t in tokenizer.tokens]),
        ),
        ("tokenizer.ggml.merges", ARRAY, (STRING, [" ".join(pair) for pair in tokenizer.merges])),
        ("tokenizer.ggml.bos_token_id", UINT32, END_OF_TEXT),
        ("tokenizer.ggml.eos_token_id", UINT32, MESSAGE_END),
        ("tokenizer.ggml.eot_token_id", UINT32, MESSAGE_END),
        ("tokenizer.ggml.padding_token_id", UINT32, END_OF_TEXT),
        ("tokenizer.ggml.add_bos_token", BOOL, False),
        ("tokenizer.ggml.add_eos_token", BOOL, False),
        ("tokenizer.chat_template", STRING, CHAT_TEMPLATE),
    ]
    descriptions, contents, offset = b"", b"", 0
    for name, weight in weights.items():
        kind, content = (
            (TENSOR_Q8_0, quantize(weight)) if weight.ndim == 2 else (TENSOR_F32, weight.astype("<f4").tobytes())
        )
        shape = weight.shape[::-1]  # GGUF lists the fastest-varying dimension first
        descriptions += packed(STRING, name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset)
        contents += padded(content)
        offset = len(contents)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(weights), len(metadata))
    head += b"".join(
        packed(STRING, key) + struct.pack("<I", kind) + packed(kind, value) for key, kind, value in metadata
    )
    return padded(head + descriptions) + contents


def packed(kind: int, value) -> bytes:
    if kind == STRING:
        text = value.encode()
        return struct.pack("<Q", len(text)) + text
    if kind == ARRAY:
        element, values = value
        return struct.pack("<IQ", element, len(values)) + b"".join(packed(element, v) for v in values)
    return struct.pack({UINT32: "<I", INT32: "<i", FLOAT32: "<f", BOOL: "<?"}[kind], value)


def padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % ALIGNMENT)


def quantize(weight: np.ndarray) -> bytes:
    blocks = weight.astype(np.float32).reshape(-1, BLOCK)
    scale = np.abs(blocks).max(1, keepdims=True) / 127
    stored = np.empty(len(blocks), Q8_0_BLOCK)
    stored["scale"] = scale[:, 0]
    stored["values"] = np.round(blocks / np.where(scale == 0, 1, scale))
    return stored.tobytes()


# --- reading and checking ---------------------------------------------------------------------------------------


def read_gguf(path: Path) -> tuple[dict, dict]:
    """Reads the metadata and the dequantized tensors of an exported file."""
    content, position = path.read_bytes(), 4

    def take(form):
        nonlocal position
        values = struct.unpack_from("<" + form, content, position)
        position += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    def take_value(kind):
        nonlocal position
        if kind == STRING:
            length = take("Q")
            position += length
            return content[position - length : position].decode()
        if kind == ARRAY:
            element, count = take("IQ")
            return [take_value(element) for _ in range(count)]
        return take({UINT32: "I", INT32: "i", FLOAT32: "f", BOOL: "?"}[kind])

    if content[:4] != b"GGUF" or take("I") != 3:
        raise SystemExit(f"{path} is not a GGUF file of version 3.")
    tensor_count, key_count = take("QQ")
    metadata = {take_value(STRING): take_value(take("I")) for _ in range(key_count)}
    found = []
    for _ in range(tensor_count):
        name, dimensions = take_value(STRING), take("I")
        shape = [take("Q") for _ in range(dimensions)][::-1]
        found.append((name, shape, *take("IQ")))
    start = position + -position % ALIGNMENT
    tensors = {}
    for name, shape, kind, offset in found:
        count = int(np.prod(shape))
        if kind == TENSOR_Q8_0:
            blocks = np.frombuffer(content, Q8_0_BLOCK, count // BLOCK, start + offset)
            values = blocks["scale"].astype(np.float32)[:, None] * blocks["values"]
        else:
            values = np.frombuffer(content, "<f4", count, start + offset)
        tensors[name] = values.reshape(shape).astype(np.float32)
    return metadata, tensors


def check(path: Path, settings: Settings, weights: dict, out: Path) -> tuple[float, float]:
    size = path.stat().st_size
    if size > LARGEST_FILE_BYTES:
        raise SystemExit(
            f"The export would have {size:,} bytes, above the limit of {LARGEST_FILE_BYTES:,}. No file was replaced."
        )
    _, tensors = read_gguf(path)
    for name, weight in weights.items():
        if (
            name not in tensors
            or tensors[name].shape != weight.shape
            or np.abs(tensors[name] - weight).max() > np.abs(weight).max() / 100
        ):
            raise SystemExit(f"The exported tensor {name} differs from the checkpoint's. No file was replaced.")
    batches, losses = Batches(out, settings), []
    for values in (weights, tensors):
        model = Model(settings)
        model.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in values.items()})
        losses.append(dev_loss(model, batches, "cpu"))
    if not abs(losses[1] - losses[0]) <= LARGEST_LOSS_CHANGE:
        raise SystemExit(
            f"Quantization moves the dev loss from {losses[0]:.4f} to {losses[1]:.4f}. No file was replaced."
        )
    return losses[0], losses[1]


if __name__ == "__main__":
    main()
