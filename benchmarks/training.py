"""Training in notebook 10 against the same model built from nn.Transformer; a saved model; memory.

Four measurements: the time to 99 % of the held-out sentences, the first translation in a fresh
process, and the most memory that pages 10 to 14 hold.
"""

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
from lib.modules import Transformer
from lib.torch_weights import store_torch
from lib.training import Recipe, Run, Translating, exact, fit, one_thread
from tools.refresh import run

SIZES = {
    "d_model": 64,
    "heads": 4,
    "encoder_layers": 2,
    "decoder_layers": 1,
    "d_ff": 256,
    "dropout": 0.0,
}
GOAL = 0.99
ROUNDS = 7
LOOK_EVERY = 0.02  # seconds
MEGABYTE = 2**20
GPT = "12_a_gpt"  # the page whose first train button is pressed after all its cells
PRESS = """
[shown for shown in Out.values() if type(shown).__name__ == "Training"][0].start()
"""
FIRST_TRANSLATION = """
import time
begin = time.perf_counter()
from lib import saved
imported = time.perf_counter()
sentence = "the animal didn't cross the street because it was too tired"
saved.load("french").translate(sentence.split())
print(imported - begin, time.perf_counter() - imported)
"""


class Theirs(nn.Module):
    """Our Transformer again: nn.Transformer with copies of its parameters, and our embeddings."""

    def __init__(self, ours):
        super().__init__()
        with warnings.catch_warnings(action="ignore"):  # of nested tensors, no use with norm_first
            self.stacks = nn.Transformer(
                SIZES["d_model"],
                SIZES["heads"],
                SIZES["encoder_layers"],
                SIZES["decoder_layers"],
                SIZES["d_ff"],
                SIZES["dropout"],
                batch_first=True,
                norm_first=True,
            )
        store_torch(ours.encoder, self.stacks.encoder)
        store_torch(ours.decoder, self.stacks.decoder)
        self.source = copy.deepcopy(ours.source)
        self.target = copy.deepcopy(ours.target)
        self.output = copy.deepcopy(ours.output)

    def encode(self, source, mask):
        hidden = ~torch.as_tensor(mask)[:, 0]  # (B, S), True = may not be seen
        return self.stacks.encoder(self.source(source), src_key_padding_mask=hidden)

    def decode(self, target, memory, mask):
        later = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        padding = ~torch.as_tensor(mask)[:, 0]  # (B, S)
        hidden = torch.zeros(padding.shape).masked_fill(padding, -torch.inf)
        x = self.stacks.decoder(
            self.target(target),
            memory,
            later,
            memory_key_padding_mask=hidden,
            tgt_is_causal=True,
        )
        return self.output(x)


class Both(Translating):
    """Its accuracy is that of the worse of the two held-out sets, and no maps are drawn."""

    def accuracy(self, model):
        return exact(model, self.held_out).view(2, -1).float().mean(1).min().item()

    def weights(self, model):
        return {}


def until_known(runs):
    """[(seconds, steps)] until each run reaches GOAL; they take turns report by report."""
    reports = [fit(run) for run in runs]
    seconds = [0.0] * len(runs)
    steps = [0] * len(runs)
    while not all(steps):
        for number, report in enumerate(reports):
            if steps[number]:
                continue
            begin = time.perf_counter()
            progress = next(report)
            seconds[number] += time.perf_counter() - begin
            if progress.accuracy >= GOAL or progress.step == progress.steps:
                steps[number] = progress.step
    return list(zip(seconds, steps, strict=True))


def side_by_side():
    """Ours and theirs from the same parameters and with the same sentences at each step."""
    material = corpus.make()
    task = Both(material)
    torch.manual_seed(0)
    ours = Transformer(len(material.english), len(material.target), **SIZES).eval()
    theirs = Theirs(ours).eval()
    with torch.no_grad(), one_thread():
        source, mask, target, _ = task.train.take(range(8))
        wanted = theirs.decode(target, theirs.encode(source, mask), mask)
        torch.testing.assert_close(ours(source, target, mask), wanted, atol=1e-4, rtol=1e-4)
    return until_known([Run(ours, task, Recipe()), Run(theirs, task, Recipe())])


def first_translation():
    """(seconds of the imports, seconds to load the model and translate) in a fresh process."""
    command = [sys.executable, "-c", FIRST_TRANSLATION]
    answer = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [float(number) for number in answer.stdout.split()]


def peak(path):
    """The most megabytes that the notebook's kernel holds while all its cells run.

    Of the page with the GPT also while that is trained.
    """
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=600,
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=["--IPKernelApp.log_level=40"],
    )
    held = []
    done = threading.Event()

    def look(kernel):
        while not done.wait(LOOK_EVERY):
            held.append(kernel.memory_info().rss)

    with client.setup_kernel(env=os.environ | {"OMP_NUM_THREADS": "1", "LIB_MINE": "off"}):
        kernel = psutil.Process(client.km.provisioner.process.pid)
        watch = threading.Thread(target=look, args=[kernel])
        watch.start()
        try:
            for index, cell in enumerate(notebook.cells):
                client.execute_cell(cell, index)
            if path.stem == GPT:
                run(client, PRESS)
        finally:
            done.set()
            watch.join()
    return max(held) / MEGABYTE


def until_known_row():
    (ours, steps), (theirs, their_steps) = side_by_side()
    ratio = (ours / steps) / (theirs / their_steps)
    return Row(
        "French until 99 % of both held-out sets are right, one thread, and with nn.Transformer",
        f"{ours:.0f} s, {steps} steps",
        f"{theirs:.0f} s, {their_steps} steps",
        f"ratio {ratio:.2f} for each step",
        "ratio ≤ 1.10",
        ratio <= 1.1,
    )


def first_translation_row():
    times = [first_translation() for _ in range(ROUNDS)]
    imports = median(imported for imported, _ in times)
    translating = median(translated for _, translated in times)
    return Row(
        "the first translation in a fresh process: load the model and translate",
        f"{translating:.2f} s",
        result=f"after {imports:.2f} s of imports",
        target="< 1 s",
        met=translating < 1,
    )


def peak_row(path):
    memory = peak(path)
    what = "Run All, then train" if path.stem == GPT else "Run All"
    return Row(
        f"{path.name}, {what}: peak memory of the kernel",
        f"{memory:.0f} MB",
        target=f"≤ {WITH_TORCH} MB",
        met=memory <= WITH_TORCH,
    )


def rows():
    yield until_known_row()
    yield first_translation_row()
    for path in sorted(NOTEBOOKS.glob("1[0-4]_*.ipynb")):
        yield peak_row(path)
