"""Runs an exported file in PyTorch, and writes a reference with which tools/compare-model.mjs checks llama.cpp.

    python3 verify.py svc-o1-mini.gguf "What is the capital of France?" "Hi"        # replies, temperature 0
    python3 verify.py svc-o1-mini.gguf --temperature 0.7 "Tell me a story."
    python3 verify.py svc-o1-mini.gguf --reference reference.json  # ids, log-probabilities, replies

It reads only the GGUF, so the check covers the exported file: quantized weights, tokenizer, settings.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from export_gguf import read_gguf
from model import Model
from settings import Settings
from tokenizer import MESSAGE_END, Tokenizer

REPLY_TOKENS_MAX = 200
REFERENCE_REPLY_TOKENS = 24
REFERENCE_QUESTIONS = [
    "Hi",
    "What is your name?",
    "What is 12+345?",
    "What is the capital of France?",
    "Is this review positive or negative?\n\nI love it, it's wonderful!",
    "Tell me a story about a fox.",
    "Name 3 fruits.",
    "  Two  spaces,\n\na blank line — and a dash; naïve café 東京 🙂",
    "1,000.50 €",
    "It's what we'd've said: don't!",
]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("file", type=Path)
    arguments.add_argument("questions", nargs="*")
    arguments.add_argument("--system")
    arguments.add_argument("--temperature", type=float, default=0.0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--reference", type=Path)
    given = arguments.parse_intermixed_args()
    if not given.file.is_file():
        raise SystemExit(f"There is no file {given.file}.")
    model, tokenizer = load_exported(given.file)
    torch.manual_seed(given.seed)
    before = [{"role": "system", "content": given.system}] if given.system else []
    for question in given.questions:
        prompt, _ = tokenizer.encode_chat([*before, {"role": "user", "content": question}], answer_next=True)
        reply, stopped = complete(model, prompt, given.temperature)
        print(f"> {question}\n{tokenizer.decode(reply)}{'' if stopped else ' [did not stop]'}\n")
    if given.reference:
        given.reference.write_text(
            json.dumps([reference(model, tokenizer, question) for question in REFERENCE_QUESTIONS])
        )
        print(f"{len(REFERENCE_QUESTIONS)} prompts written to {given.reference}")


def load_exported(path: Path) -> tuple[Model, Tokenizer]:
    settings, tensors, tokenizer = read_exported(path)
    model = Model(settings)
    model.load_state_dict(tensors)
    return model.eval(), tokenizer


def read_exported(path: Path) -> tuple[Settings, dict[str, torch.Tensor], Tokenizer]:
    """Returns the architecture, the dequantized weights and the tokenizer of an exported file."""
    metadata, tensors = read_gguf(path)
    settings = Settings(
        vocab_size=metadata["llama.vocab_size"],
        width=metadata["llama.embedding_length"],
        layers=metadata["llama.block_count"],
        heads=metadata["llama.attention.head_count"],
        kv_heads=metadata["llama.attention.head_count_kv"],
        ffn_width=metadata["llama.feed_forward_length"],
        context=metadata["llama.context_length"],
        rope_base=metadata["llama.rope.freq_base"],
        norm_epsilon=float(np.float32(metadata["llama.attention.layer_norm_rms_epsilon"]).astype(str)),
    )
    merges = [tuple(merge.split(" ")) for merge in metadata["tokenizer.ggml.merges"]]
    weights = {name: torch.from_numpy(tensor) for name, tensor in tensors.items()}
    return settings, weights, Tokenizer(metadata["tokenizer.ggml.tokens"], merges)


@torch.no_grad()
def complete(
    model: Model, prompt: list[int], temperature: float, most: int = REPLY_TOKENS_MAX
) -> tuple[list[int], bool]:
    """Returns the reply's tokens, and whether the model ended the reply."""
    ids = list(prompt)
    for _ in range(min(most, len(model.turns) - len(prompt))):
        logits = model(torch.tensor([ids]))[0, -1]
        token = (
            int(logits.argmax()) if temperature == 0 else int(torch.multinomial((logits / temperature).softmax(-1), 1))
        )
        if token == MESSAGE_END:
            return ids[len(prompt) :], True
        ids.append(token)
    return ids[len(prompt) :], False


@torch.no_grad()
def reference(model: Model, tokenizer: Tokenizer, question: str) -> dict:
    ids, _ = tokenizer.encode_chat([{"role": "user", "content": question}], answer_next=True)
    logprobs = model(torch.tensor([ids]))[0, -3:].log_softmax(-1)
    reply, _ = complete(model, ids, 0.0, REFERENCE_REPLY_TOKENS)
    return {
        "prompt": f"<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n",
        "ids": ids,
        "logprobs": [[round(p, 5) for p in row] for row in logprobs.tolist()],
        "greedy": reply,
    }


if __name__ == "__main__":
    main()
