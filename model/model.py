"""The llama architecture in plain PyTorch (1.13 on a CPU, 2.x on CPU or CUDA).

RMSNorm, rotary positions on interleaved pairs (llama.cpp's own order, so the export permutes nothing),
grouped-query attention, SwiGLU, and one matrix for the embedding and the output.
"""

import math
from contextlib import suppress

import torch
import torch.nn as nn
import torch.nn.functional as F

from settings import Settings
from tokenizer import END_OF_TEXT

with suppress(ImportError):  # PyTorch 2.11 has it; needed on CUDA only
    from torch.nn.attention.varlen import varlen_attn

QUERY_CHUNK = 128  # query rows per chunk of attention without a fused kernel, to bound its memory
LOSS_CHUNK = {"cpu": 256, "cuda": 16_384}  # rows of logits in memory at a time


class RMSNorm(nn.Module):
    def __init__(self, width: int, epsilon: float):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x):
        x = x.float()
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon) * self.weight


def rotate(x, turns):
    """Rotates the neighbouring pairs (0, 1), (2, 3), … of x (batch, time, heads, head width).

    `turns` has the shape (time, head width / 2, 2), the cosine and the sine of each angle.
    """
    pairs = x.float().unflatten(-1, (-1, 2))
    if x.is_cuda:  # the compiler fuses products of real numbers, and not of complex ones
        cosine, sine = turns[:, None].unbind(-1)
        first, second = pairs.unbind(-1)
        turned = torch.stack((first * cosine - second * sine, first * sine + second * cosine), -1)
    else:
        turned = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * torch.view_as_complex(turns)[:, None])
    return turned.flatten(-2).to(x.dtype)


def hidden_before(ids):
    """Returns the attention mask (batch, 1, time, time): minus infinity for later tokens and for other texts."""
    ends = ids == END_OF_TEXT
    text = ends.cumsum(1) - ends.long()
    seen = (text[:, :, None] == text[:, None, :]).tril()
    return torch.zeros(seen.shape, dtype=torch.bfloat16, device=ids.device).masked_fill(~seen, -math.inf)[:, None]


def starts_of_texts(ids):
    """Returns where each text starts among the tokens of all windows, and the number of tokens at the end (int32)."""
    starts = torch.zeros_like(ids, dtype=torch.bool)
    starts[:, 0] = True
    starts[:, 1:] = ids[:, :-1] == END_OF_TEXT
    places = starts.flatten().nonzero()[:, 0]
    return F.pad(places, (0, 1), value=ids.numel()).int()


def attend(q, k, v, texts):
    """Computes attention within texts. q, k and v have the shape (batch, time, heads, head width).

    `texts` is the result of `starts_of_texts` on CUDA, and of `hidden_before` otherwise.
    """
    if q.is_cuda:
        longest = q.shape[1]
        flat = (part.flatten(0, 1) for part in (q, k, v))
        return varlen_attn(*flat, texts, texts, longest, longest, window_size=(-1, 0)).view_as(q)
    q, k, v = (part.transpose(1, 2) for part in (q, k, v))
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=texts.to(q.dtype)).transpose(1, 2)
    time, out = q.shape[2], []
    q = q / math.sqrt(q.shape[-1])
    for start in range(0, time, QUERY_CHUNK):
        stop = min(start + QUERY_CHUNK, time)
        scores = q[:, :, start:stop] @ k[:, :, :stop].transpose(-1, -2)
        out.append((scores + texts[:, :, start:stop, :stop]).softmax(-1).to(v.dtype) @ v[:, :, :stop])
    return torch.cat(out, 2).transpose(1, 2)


def lower(x):
    """Casts x to bfloat16 once for all matrix products that read it. Autocast would cast it for each product."""
    return x.bfloat16() if torch.is_autocast_cpu_enabled() or torch.is_autocast_enabled() else x


class OutputLoss(torch.autograd.Function):
    """Weighted mean cross-entropy of softmax(x @ weight.T), with its gradient from the same pass, in chunks of rows.

    The logits of a whole batch are far larger than any cache; on a CPU they would cost half of a step.
    """

    @staticmethod
    def forward(ctx, x, weight, targets, shares):
        small = weight.bfloat16()
        x_gradient, weight_gradient = torch.empty_like(x), torch.zeros_like(weight)
        total = torch.zeros((), device=x.device)
        chunk = LOSS_CHUNK[x.device.type]
        for start in range(0, len(x), chunk):
            rows = slice(start, start + chunk)
            x_small, right = x[rows].bfloat16(), targets[rows, None]
            logits = (x_small @ small.t()).float()
            logits -= logits.logsumexp(-1, keepdim=True)
            total -= (logits.gather(1, right)[:, 0] * shares[rows]).sum()
            gradient = (
                logits.exp_()
                .scatter_add_(1, right, torch.full_like(right, -1, dtype=logits.dtype))
                .mul_(shares[rows, None])
                .bfloat16()
            )
            x_gradient[rows] = (gradient @ small).to(x.dtype)
            weight_gradient += gradient.t() @ x_small
        ctx.save_for_backward(x_gradient, weight_gradient)
        ctx.sum_of_shares = shares.sum()
        return total / ctx.sum_of_shares

    @staticmethod
    def backward(ctx, upstream):
        x_gradient, weight_gradient = ctx.saved_tensors
        scale = upstream / ctx.sum_of_shares
        return x_gradient * scale, weight_gradient * scale, None, None


class Block(nn.Module):
    def __init__(self, s: Settings):
        super().__init__()
        head_width = s.width // s.heads
        self.heads, self.kv_heads = s.heads, s.kv_heads
        self.attn_norm = RMSNorm(s.width, s.norm_epsilon)
        self.attn_q = nn.Linear(s.width, s.heads * head_width, bias=False)
        self.attn_k = nn.Linear(s.width, s.kv_heads * head_width, bias=False)
        self.attn_v = nn.Linear(s.width, s.kv_heads * head_width, bias=False)
        self.attn_output = nn.Linear(s.heads * head_width, s.width, bias=False)
        self.ffn_norm = RMSNorm(s.width, s.norm_epsilon)
        self.ffn_gate = nn.Linear(s.width, s.ffn_width, bias=False)
        self.ffn_up = nn.Linear(s.width, s.ffn_width, bias=False)
        self.ffn_down = nn.Linear(s.ffn_width, s.width, bias=False)

    def forward(self, x, turns, texts):
        return self.after_attention(x, attend(*self.before_attention(x, turns), texts))

    def before_attention(self, x, turns):
        """Returns the queries, keys and values, each (batch, time, heads, head width)."""
        h = lower(self.attn_norm(x))
        q = self.attn_q(h).unflatten(-1, (self.heads, -1))
        k = self.attn_k(h).unflatten(-1, (self.kv_heads, -1))
        v = self.attn_v(h).unflatten(-1, (self.kv_heads, -1))
        q, k = rotate(q, turns), rotate(k, turns)
        if self.kv_heads != self.heads:
            k = k.repeat_interleave(self.heads // self.kv_heads, 2)
            v = v.repeat_interleave(self.heads // self.kv_heads, 2)
        return q, k, v

    def after_attention(self, x, attended):
        x = x + self.attn_output(attended.flatten(2))
        h = lower(self.ffn_norm(x))
        return x + self.ffn_down(F.silu(self.ffn_gate(h)) * self.ffn_up(h))


class Model(nn.Module):
    def __init__(self, s: Settings):
        super().__init__()
        self.token_embd = nn.Embedding(s.vocab_size, s.width)
        self.blk = nn.ModuleList(Block(s) for _ in range(s.layers))
        self.output_norm = RMSNorm(s.width, s.norm_epsilon)
        head_width = s.width // s.heads
        frequency = s.rope_base ** (-torch.arange(0, head_width, 2).float() / head_width)
        angles = torch.outer(torch.arange(s.context).float(), frequency)
        self.register_buffer("turns", torch.stack((angles.cos(), angles.sin()), -1), persistent=False)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                into_residual = name.endswith(("attn_output.weight", "ffn_down.weight"))
                nn.init.normal_(weight, 0.0, 0.02 / math.sqrt(2 * s.layers) if into_residual else 0.02)

    def forward(self, ids, targets=None, shares=None):
        """Returns the logits. With targets and their weights (`shares`), returns the weighted mean loss instead.

        A target of weight 0 costs no logits.
        """
        time = ids.shape[1]
        x, texts = self.token_embd(ids), starts_of_texts(ids) if ids.is_cuda else hidden_before(ids)
        for block in self.blk:
            x = block(x, self.turns[:time], texts)
        x = self.output_norm(x)
        if targets is None:
            return F.linear(x, self.token_embd.weight).float()
        shares = shares.flatten()
        keep = shares > 0
        return OutputLoss.apply(x.flatten(0, 1)[keep], self.token_embd.weight, targets.flatten()[keep], shares[keep])

    def compile_blocks(self) -> None:
        """Compiles what surrounds the attention in a block."""
        if "varlen_attn" not in globals():
            raise SystemExit("Training on CUDA needs PyTorch 2.11 or newer.")
        torch._dynamo.config.recompile_limit = 4 * len(self.blk)
        for block in self.blk:
            block.before_attention = torch.compile(block.before_attention)
            block.after_attention = torch.compile(block.after_attention)

    def parameter_count(self) -> int:
        return sum(weight.numel() for weight in self.parameters())
