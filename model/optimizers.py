"""The optimizers: Muon for the matrices of the blocks, AdamW for the embedding and the norms."""

import collections

import torch

from model import Model
from settings import Settings


class Muon(torch.optim.Optimizer):
    """Momentum with an orthogonalized update (Newton-Schulz), for the matrices inside the blocks."""

    def __init__(self, model: Model, settings: Settings):
        matrices = [weight for weight in model.blk.parameters() if weight.dim() == 2]
        super().__init__(
            matrices,
            dict(lr=settings.muon_rate, top_rate=settings.muon_rate, decay=settings.weight_decay, momentum=0.95),
        )

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for weight in group["params"]:
                momentum = self.state[weight].setdefault("momentum", torch.zeros_like(weight))
                momentum.lerp_(weight.grad, 1 - group["momentum"])
                weight.mul_(1 - group["lr"] * group["decay"])
            for weights in alike(group["params"]):
                rows, columns = weights[0].shape
                moves = [one.grad.lerp(self.state[one]["momentum"], group["momentum"]) for one in weights]
                step = -group["lr"] * max(1.0, rows / columns) ** 0.5
                for weight, update in zip(weights, orthogonal(torch.stack(moves))):
                    weight.add_(update, alpha=step)


def alike(weights: list) -> list[list]:
    """Groups matrices of one shape, whose updates CUDA computes together. A CPU computes them one by one."""
    if not weights[0].is_cuda:
        return [[weight] for weight in weights]
    groups = collections.defaultdict(list)
    for weight in weights:
        groups[weight.shape].append(weight)
    return list(groups.values())


def orthogonal(matrices):
    x = matrices.bfloat16()
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    tall = x.shape[1] > x.shape[2]
    x = x.transpose(1, 2) if tall else x
    for _ in range(5):
        square = x @ x.transpose(1, 2)
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return (x.transpose(1, 2) if tall else x).to(matrices.dtype)


def embedding_optimizer(model: Model, settings: Settings):
    """Makes AdamW for the embedding and the norms."""
    rest = [model.token_embd.weight, *(weight for weight in model.parameters() if weight.dim() < 2)]
    return torch.optim.AdamW(
        [{"params": rest, "top_rate": settings.adam_rate}], lr=settings.adam_rate, betas=(0.9, 0.95), weight_decay=0.0
    )
