"""Training in notebook 10 against the same model built from nn.Transformer; the first translation; peak memory."""

import copy
import os
import subprocess
import sys
import threading
import time
import warnings
from statistics import median

import nbformat
import psutil
import torch
from nbclient import NotebookClient
from torch import nn

from benchmarks.notebooks import NOTEBOOKS, WITH_TORCH
from benchmarks.start_up import ROOT
from benchmarks.table import Row
from lib import corpus
from lib.modules import Transformer, store_torch
from lib.training import Recipe, Run, Translating, exact, fit, one_thread

SIZES = {
    "d_model": 64,
    "heads": 4,
    "encoder_layers": 2,
    "decoder_layers": 1,
    "d_ff": 256,
    "dropout": 0.0,
}
GOAL = 0.99
FIRST_TRANSLATION = """
import time
begin = time.perf_counter()
from lib import saved
imported = time.perf_counter()
saved.load("french").translate("the animal didn't cross the street because it was too tired".split())
print(imported - begin, time.perf_counter() - imported)
"""
ROUNDS = 7


class Theirs(nn.Module):
    """Our Transformer again: nn.Transformer with copies of its parameters, embeddings and last matrix."""

    def __init__(self, ours):
        super().__init__()
        d_model, heads, *sizes, dropout = SIZES.values()
        with warnings.catch_warnings(
            action="ignore"
        ):  # nested tensors, which norm_first cannot use
            self.stacks = nn.Transformer(
                d_model, heads, *sizes, dropout, batch_first=True, norm_first=True
            )
        store_torch(ours.encoder, self.stacks.encoder)
        store_torch(ours.decoder, self.stacks.decoder)
        self.source, self.target, self.output = map(
            copy.deepcopy, (ours.source, ours.target, ours.output)
        )

    def encode(self, source, mask, changes=()):
        hidden = ~torch.as_tensor(mask)[:, 0]  # (B, S), True = may not be seen
        return self.stacks.encoder(self.source(source), src_key_padding_mask=hidden), None

    def decode(self, target, memory, mask, changes=()):
        later = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        hidden = torch.zeros(mask[:, 0].shape).masked_fill(~torch.as_tensor(mask)[:, 0], -torch.inf)
        x = self.stacks.decoder(
            self.target(target), memory, later, memory_key_padding_mask=hidden, tgt_is_causal=True
        )  # fmt: skip
        return self.output(x), None, None


class Both(Translating):
    """Its accuracy is that of the worse of the two held-out sets, and no maps are drawn."""

    def accuracy(self, model):
        return exact(model, self.held_out).view(2, -1).float().mean(1).min().item()

    def weights(self, model):
        return {}


def until_known(runs):
    """[(seconds, steps)] until each run reaches GOAL; they take turns report by report."""
    reports, seconds, steps = [fit(run) for run in runs], [0.0] * len(runs), [0] * len(runs)
    while not all(steps):
        for n, report in enumerate(reports):
            if not steps[n]:
                begin = time.perf_counter()
                progress = next(report)
                seconds[n] += time.perf_counter() - begin
                if progress.accuracy >= GOAL or progress.step == progress.steps:
                    steps[n] = progress.step
    return list(zip(seconds, steps, strict=True))


def side_by_side():
    """Ours and theirs from the same parameters and with the same sentences at each step."""
    material = corpus.make()
    torch.manual_seed(0)
    ours = Transformer(len(material.english), len(material.target), **SIZES)
    theirs, task = Theirs(ours), Both(material)
    with torch.no_grad(), one_thread():
        source, mask, target, _ = task.train.take(range(8))
        logits = [
            model.eval().decode(target, model.encode(source, mask)[0], mask)[0]
            for model in (ours, theirs)
        ]
        torch.testing.assert_close(*logits, atol=1e-4, rtol=1e-4)
    return until_known([Run(model, task, Recipe()) for model in (ours, theirs)])


def first_translation():
    """(seconds of the imports, seconds to load the model and translate) in a fresh process."""
    said = subprocess.run(
        [sys.executable, "-c", FIRST_TRANSLATION], cwd=ROOT, check=True, capture_output=True
    )
    return map(float, said.stdout.split())


def peak(path):
    """The most megabytes that the notebook's kernel holds while all its cells run, looked at every 20 ms."""
    notebook, held, done = nbformat.read(path, as_version=4), [], threading.Event()
    quiet = ["--IPKernelApp.log_level=40"]
    client = NotebookClient(
        notebook,
        timeout=600,
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=quiet,
    )

    def look(kernel):
        while not done.wait(0.02):
            held.append(kernel.memory_info().rss)

    with client.setup_kernel(env=os.environ | {"OMP_NUM_THREADS": "1"}):
        watch = threading.Thread(
            target=look, args=[psutil.Process(client.km.provisioner.process.pid)]
        )
        watch.start()
        try:
            for index, cell in enumerate(notebook.cells):
                client.execute_cell(cell, index)
        finally:
            done.set()
            watch.join()
    return max(held) / 2**20


def rows():
    (ours, steps), (theirs, their_steps) = side_by_side()
    ratio = (ours / steps) / (theirs / their_steps)
    yield Row(
        "French until 99 % of both held-out sets are right, one thread, and with nn.Transformer",
        f"{ours:.0f} s, {steps} steps", f"{theirs:.0f} s, {their_steps} steps", f"ratio {ratio:.2f} for each step",
        "ratio ≤ 1.10", ratio <= 1.1,
    )  # fmt: skip
    imports, translating = (
        median(times) for times in zip(*(first_translation() for _ in range(ROUNDS)), strict=True)
    )
    yield Row(
        "the first translation in a fresh process: load the model and translate",
        f"{translating:.2f} s", result=f"after {imports:.2f} s of imports", target="< 1 s", met=translating < 1,
    )  # fmt: skip
    for path in sorted(NOTEBOOKS.glob("1[01]_*.ipynb")):
        memory = peak(path)
        yield Row(
            f"{path.name}, Run All: peak memory of the kernel", f"{memory:.0f} MB", target=f"≤ {WITH_TORCH} MB",
            met=memory <= WITH_TORCH,
        )  # fmt: skip
