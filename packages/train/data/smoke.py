#!/usr/bin/env python3
"""Tries an export on a tiny, randomly initialised model with LoRA layers: no download, PyTorch alone, a CPU for some seconds.

It shows that the files can be read and learned from, and nothing of how well a real model will learn. The model reads bytes;
its own weights stay as they were drawn, and only the LoRA layers (rank 8, alpha 32) learn, from the answers alone.

    python3 recipes/smoke.py                 # sft/train.jsonl
    python3 recipes/smoke.py --method dpo    # dpo/train.jsonl

Prints a JSON line every few steps, and ends with 1 if the loss did not fall.
"""
import argparse
import json
import math
import pathlib
import sys

try:
    import torch
except ImportError:
    sys.exit("PyTorch is missing: apt-get install python3-torch, or pip install torch")
from torch import nn
from torch.nn import functional as F

RANK, ALPHA = 8, 32
WIDTH, HEADS, LAYERS = 64, 4, 2
# Bytes: what an example shows of its question's end and of its answer's start, and the three marks between them.
QUESTION, ANSWER = 96, 96
START, TURN, END, VOCABULARY = 256, 257, 258, 259
IGNORED = -100


class LoraLinear(nn.Module):
    """A frozen linear layer with a low-rank change that is learned (Hu et al., 2021)."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.base = nn.Linear(inputs, outputs)
        self.down = nn.Parameter(torch.randn(RANK, inputs) / math.sqrt(inputs))
        self.up = nn.Parameter(torch.zeros(outputs, RANK))
        self.is_on = True

    def forward(self, x):
        y = self.base(x)
        return y + (ALPHA / RANK) * (x @ self.down.T @ self.up.T) if self.is_on else y


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.query_key_value, self.out = LoraLinear(WIDTH, 3 * WIDTH), LoraLinear(WIDTH, WIDTH)
        self.wide, self.narrow = LoraLinear(WIDTH, 4 * WIDTH), LoraLinear(4 * WIDTH, WIDTH)

    def forward(self, x, mask):
        rows, length, _ = x.shape
        parts = self.query_key_value(self.before(x)).view(rows, length, 3, HEADS, WIDTH // HEADS)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        weights = (query @ key.transpose(-1, -2) / math.sqrt(WIDTH // HEADS) + mask).softmax(-1)
        x = x + self.out((weights @ value).transpose(1, 2).reshape(rows, length, WIDTH))
        return x + self.narrow(F.gelu(self.wide(self.between(x))))


class TinyModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.bytes = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(QUESTION + ANSWER + 3, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.last = nn.LayerNorm(WIDTH)
        self.head = LoraLinear(WIDTH, VOCABULARY)
        for name, weight in self.named_parameters():
            weight.requires_grad = name.endswith((".up", ".down"))

    def forward(self, tokens):
        length = tokens.shape[1]
        mask = torch.full((length, length), float("-inf")).triu(1)
        x = self.bytes(tokens) + self.places(torch.arange(length))
        for block in self.blocks:
            x = block(x, mask)
        return self.head(self.last(x))

    def set_lora(self, is_on):
        for module in self.modules():
            if isinstance(module, LoraLinear):
                module.is_on = is_on


def encode(question, answer):
    """Tokens, and what is to be predicted of them: the answer and its end."""
    asked = question.encode()[-QUESTION:]
    said = answer.encode()[:ANSWER]
    tokens = [START, *asked, TURN, *said, END]
    labels = [IGNORED] * (len(asked) + 2) + [*said, END]
    return tokens, labels


def batch_of(pairs):
    length = max(len(tokens) for tokens, _ in pairs)
    pad = lambda row, filler: row + [filler] * (length - len(row))
    tokens = torch.tensor([pad(row, END) for row, _ in pairs])
    labels = torch.tensor([pad(row, IGNORED) for _, row in pairs])
    return tokens, labels


def log_likelihoods(model, batch):
    """Of each answer in a batch: the sum over its bytes, and how many there are."""
    tokens, labels = batch
    losses = F.cross_entropy(
        model(tokens)[:, :-1].transpose(1, 2), labels[:, 1:], ignore_index=IGNORED, reduction="none"
    )
    return -losses.sum(1), (labels[:, 1:] != IGNORED).sum(1)


def sft_loss(model, rows):
    batch = batch_of([encode(row["messages"][-2]["content"], row["messages"][-1]["content"]) for row in rows])
    likelihoods, lengths = log_likelihoods(model, batch)
    return -likelihoods.sum() / lengths.sum()


def dpo_loss(model, rows, beta=0.1):
    """Rafailov et al. (2023), equation 7; the model without its LoRA layers is the reference."""

    def margin():
        side = lambda name: batch_of([encode(r["messages"][-1]["content"], r[name]["content"]) for r in rows])
        return log_likelihoods(model, side("chosen"))[0] - log_likelihoods(model, side("rejected"))[0]

    learned = margin()
    model.set_lora(False)
    with torch.no_grad():
        reference = margin()
    model.set_lora(True)
    return -F.logsigmoid(beta * (learned - reference)).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--method", choices=["sft", "dpo"], default="sft")
    parser.add_argument("--data", help="an export's folder (default: the one this script lies in)")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--rate", type=float, default=5e-3, help="a tiny model learns at a rate that suits it")
    given = parser.parse_args()
    folder = pathlib.Path(given.data) if given.data else pathlib.Path(__file__).resolve().parent.parent
    lines = (folder / given.method / "train.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    torch.manual_seed(1)
    torch.set_num_threads(1)
    model = TinyModel()
    loss_of = sft_loss if given.method == "sft" else dpo_loss
    learned = [weight for weight in model.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=given.rate)
    size, losses = min(8, len(rows)), []
    for step in range(given.steps):
        chosen = torch.randint(len(rows), (size,)).tolist() if len(rows) > size else range(len(rows))
        loss = loss_of(model, [rows[place] for place in chosen])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
        if step % 5 == 0:
            print(json.dumps({"step": step, "loss": round(losses[-1], 4)}), flush=True)
    few = max(1, min(5, given.steps // 4))
    first, last = sum(losses[:few]) / few, sum(losses[-few:]) / few
    told = {"method": given.method, "examples": len(rows), "loraWeights": sum(w.numel() for w in learned)}
    print(json.dumps({**told, "first": round(first, 4), "last": round(last, 4), "fell": last < first}))
    sys.exit(0 if last < first else 1)


if __name__ == "__main__":
    main()
