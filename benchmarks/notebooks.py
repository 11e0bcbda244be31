"""Wall time of each notebook, and what its kernel holds in memory after Run All."""

import os
import time
from pathlib import Path

import nbformat
import psutil
from nbclient import NotebookClient

from benchmarks.table import Row

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
MEGABYTES = 150
LOADED = "import sys; print('torch' in sys.modules)"


def run(path):
    """Seconds from the start of the kernel to the end of the last cell, megabytes, and whether it loaded PyTorch."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(path.parent)}})
    begin = time.perf_counter()
    with client.setup_kernel(env=os.environ | {"OMP_NUM_THREADS": "1"}):
        for index, cell in enumerate(notebook.cells):
            client.execute_cell(cell, index)
        seconds = time.perf_counter() - begin
        memory = psutil.Process(client.km.provisioner.process.pid).memory_info().rss / 2**20
        asked = nbformat.v4.new_code_cell(LOADED)
        notebook.cells.append(asked)
        client.execute_cell(asked, len(notebook.cells) - 1)
        return seconds, memory, asked.outputs[0].text.strip() == "True"


def rows():
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        seconds, memory, torch = run(path)
        # Only a NumPy notebook has a target: PyTorch alone takes more.
        target = {} if torch else {"target": f"≤ {MEGABYTES} MB", "met": memory <= MEGABYTES}
        yield Row(f"{path.name}, Run All: time", f"{seconds:.1f} s")
        library = "NumPy and PyTorch" if torch else "NumPy"
        yield Row(f"{path.name}, Run All: memory of the kernel ({library})", f"{memory:.0f} MB", **target)
