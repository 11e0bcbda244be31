"""Wall time of each notebook, and what its kernel holds in memory after Run All."""

import os
import time
from pathlib import Path

import nbformat
import psutil
from nbclient import NotebookClient

from benchmarks.table import Row

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
MEGABYTES, WITH_TORCH = 150, 450  # before and after PyTorch is imported


def run(path):
    """Seconds until the last cell has run; megabytes before PyTorch and at the end."""
    notebook = nbformat.read(path, as_version=4)
    quiet = ["--IPKernelApp.log_level=40"]
    client = NotebookClient(
        notebook,
        timeout=600,
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=quiet,
    )
    begin, before = time.perf_counter(), None
    with client.setup_kernel(env=os.environ | {"OMP_NUM_THREADS": "1", "LIB_MINE": "off"}):
        kernel = psutil.Process(client.km.provisioner.process.pid)
        for index, cell in enumerate(notebook.cells):
            if before is None and cell.cell_type == "code" and "import torch" in cell.source:
                before = kernel.memory_info().rss / 2**20
            client.execute_cell(cell, index)
        return time.perf_counter() - begin, before, kernel.memory_info().rss / 2**20


def rows():
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        seconds, before, memory = run(path)
        yield Row(f"{path.name}, Run All: time", f"{seconds:.1f} s")
        yield Row(
            f"{path.name}, Run All: memory of the kernel",
            f"{memory:.0f} MB",
            result="" if before is None else f"{before:.0f} MB before it imports torch",
            target=f"≤ {MEGABYTES} MB, with PyTorch ≤ {WITH_TORCH} MB",
            met=(before or memory) <= MEGABYTES and memory <= WITH_TORCH,
        )
