"""Writes a model with random weights: 21 M parameters, the llama architecture and a ChatML template.

Usage: vllm-model.py FOLDER TEXT...  The tokenizer is trained on the text files.
"""

import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

CONTEXT_TOKENS = 2048
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)

folder, *texts = sys.argv[1:]
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.decoder = decoders.ByteLevel()
specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
alphabet = pre_tokenizers.ByteLevel.alphabet()
trainer = trainers.BpeTrainer(vocab_size=4096, special_tokens=specials, initial_alphabet=alphabet)
tokenizer.train(texts, trainer)
wrapped = PreTrainedTokenizerFast(
    tokenizer_object=tokenizer,
    pad_token=specials[0],
    bos_token=specials[1],
    eos_token=specials[2],
)
wrapped.chat_template = TEMPLATE
wrapped.save_pretrained(folder)

torch.manual_seed(0)
config = LlamaConfig(
    vocab_size=len(wrapped),
    hidden_size=512,
    intermediate_size=1024,
    num_hidden_layers=8,
    num_attention_heads=8,
    num_key_value_heads=4,
    head_dim=64,
    max_position_embeddings=CONTEXT_TOKENS,
    bos_token_id=1,
    eos_token_id=2,
    tie_word_embeddings=True,
)
LlamaForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
