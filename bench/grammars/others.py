"""Measures llguidance or XGrammar on JSONSchemaBench, for comparison with ours.ts (docs/decisions/0006).

Usage: python3 bench/grammars/others.py CORPUS VOCABULARY llguidance|xgrammar
Writes the tokens of the bundled model to VOCABULARY. Needs the packages gguf, numpy and the measured one.
"""

import json
import math
import pathlib
import sys
import time

import numpy
from gguf import GGUFReader

ONE_IN = 10
MODEL = pathlib.Path(__file__).parents[2] / "model" / "svc-o1-mini.gguf"


def read_vocabulary() -> tuple[list[bytes], list[int], int]:
    """Returns the bytes of each token, the ids of control tokens, and the id of the end token."""
    fields = GGUFReader(MODEL).fields
    names, kinds, end = (fields[f"tokenizer.ggml.{name}"] for name in ("tokens", "token_type", "eos_token_id"))
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    byte_of = {chr(byte): byte for byte in plain} | {chr(256 + i): byte for i, byte in enumerate(others)}
    tokens, control = [], []
    for index, (name, kind) in enumerate(zip(names.data, kinds.data)):
        text = bytes(names.parts[name]).decode()
        if int(kinds.parts[kind][0]) == 1:
            tokens.append(bytes(byte_of[char] for char in text))
        else:
            tokens.append(b"")
            control.append(index)
    return tokens, control, int(end.parts[end.data[0]][0])


def open_llguidance(tokens: list[bytes], control: list[int], end: int):
    from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper
    from llguidance.numpy import allocate_token_bitmask, fill_next_token_bitmask

    class Tokenizer:
        eos_token_id, bos_token_id, special_token_ids = end, None, control

        def __call__(self, text):
            return [tokens.index(bytes([byte])) for byte in (text if isinstance(text, bytes) else text.encode())]

    # Control tokens start with a byte that never occurs in a text.
    Tokenizer.tokens = [token or b"\xff%d" % index for index, token in enumerate(tokens)]
    tokenizer = LLTokenizer(TokenizerWrapper(Tokenizer()))
    mask = allocate_token_bitmask(1, tokenizer.vocab_size)

    def first_mask(schema: str) -> None:
        matcher = LLMatcher(tokenizer, LLMatcher.grammar_from_json_schema(schema))
        if not matcher.is_error():
            fill_next_token_bitmask(matcher, mask, 0)
        if matcher.is_error():
            raise ValueError(matcher.get_error())

    return first_mask


def open_xgrammar(tokens: list[bytes], control: list[int], end: int):
    import xgrammar

    info = xgrammar.TokenizerInfo(
        tokens, vocab_type=xgrammar.VocabType.RAW, vocab_size=len(tokens), stop_token_ids=[end]
    )
    mask = numpy.full((1, math.ceil(len(tokens) / 32)), -1, dtype=numpy.int32)

    def first_mask(schema: str) -> None:
        compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        xgrammar.GrammarMatcher(compiler.compile_json_schema(schema)).fill_next_token_bitmask(mask, 0)

    return first_mask


def main(corpus: str, vocabulary: str, name: str) -> None:
    tokens, control, end = read_vocabulary()
    pathlib.Path(vocabulary).write_text(json.dumps([token.hex() for token in tokens]))
    first_mask = {"llguidance": open_llguidance, "xgrammar": open_xgrammar}[name](tokens, control, end)
    calls = 10 if name == "llguidance" else 1
    paths = sorted(pathlib.Path(corpus).rglob("*.json"))[::ONE_IN]
    times = []
    for path in paths:
        value = json.loads(path.read_text())
        schema = json.dumps(value["schema"] if {"schema", "tests"} <= value.keys() else value)
        start = time.process_time()
        try:
            for _ in range(calls):
                first_mask(schema)
        except (ValueError, RuntimeError):
            continue
        times.append((time.process_time() - start) * 1000 / calls)
    times.sort()
    print(f"{len(times)} of {len(paths)} schemas compile")
    for share in (0.5, 0.9, 0.99, 1):
        print(f"{share}: {times[math.ceil(share * len(times)) - 1]:.1f} ms")


main(*sys.argv[1:])
