"""The reader's program from page to page, each in a kernel of its own."""

import json
import os

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_notebook

from tests.pages.exercises import exercises
from tests.pages.test_student import read
from tools.course import NOTEBOOKS, ROOT
from tools.refresh import run

SET_UP = 'import sys\nsys.path.insert(0, "..")\nimport numpy as np\nfrom lib import checks'

LAYER = (
    """class Attention(nn.Module):
    def __init__(self, d_model, heads):
        super().__init__()
        self.inside = nn.MultiheadAttention(d_model, heads, batch_first=True)
        self.weights = Weights()

    def forward(self, x):
        return self.inside(x, x, x)[0]
""",
    """class MyEncoderLayer(nn.Module):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.attention = Attention(d_model, heads)
        self.think = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.think(self.norm_2(x))
""",
)


@pytest.fixture
def handouts(tmp_path):
    """A folder for pages beside lib."""
    (tmp_path / "lib").symlink_to(ROOT / "lib")
    folder = tmp_path / "handouts"
    folder.mkdir()
    return folder


def said_by(folder, *cells):
    """What a new kernel prints that runs these cells in the folder, as a page there does."""
    client = NotebookClient(
        new_notebook(),
        kernel_name="python3",
        extra_arguments=["--log-level=40"],
        timeout=120,
        resources={"metadata": {"path": str(folder)}},
    )
    switched_on = {name: value for name, value in os.environ.items() if name != "LIB_MINE"}
    with client.setup_kernel(env=switched_on | {"IPYTHONDIR": str(folder.parent / "ipython")}):
        return [run(client, cell) for cell in (SET_UP, *cells)][1:]


def solution(page, check):
    [found] = [each for each in exercises(read(NOTEBOOKS / page)) if check in each.check]
    return f"{found.solution}\nprint({found.check})"


def test_what_is_solved_on_one_page_runs_on_the_next(handouts):
    [said] = said_by(handouts, solution("02_softmax.ipynb", "checks.softmax"))
    assert said.endswith("no problem. Kept in mine.py.\n")
    attention = (
        "def my_attention(queries, keys, values):\n"
        "    scores = queries @ keys.swapaxes(-1, -2) / np.sqrt(queries.shape[-1])\n"
        "    return my_softmax(scores) @ values"
    )
    shown = "import json\nfrom lib import mine\nprint(json.dumps(mine.show()._repr_html_()))"
    told, verdict, html = said_by(
        handouts,
        "from lib.mine import my_softmax, my_multi_head",
        f"{attention}\nprint(checks.attention(my_attention))",
        shown,
    )
    assert told.splitlines() == [
        "my_softmax: yours, from mine.py",
        "my_multi_head: the course's, until the check on page 5 calls yours right.",
    ]
    assert verdict.endswith("mix the values. Kept in mine.py.\n")
    assert 'download="mine.py"' in json.loads(html)
    program = (handouts / "mine.py").read_text("utf-8")
    assert program.count("def my_softmax") == program.count("import numpy as np") == 1
    assert program.index("def my_softmax") < program.index(attention)
    assert [path.name for path in handouts.iterdir()] == ["mine.py"]


def test_a_class_of_a_real_kernel_is_kept(handouts):
    """There inspect does not find the text of a class before Python 3.13."""
    weights = "import torch\nfrom torch import nn\nclass Weights(nn.Identity):\n    'No function.'"
    *_, said = said_by(handouts, weights, *LAYER, "print(checks.encoder_layer(MyEncoderLayer))")
    assert said.endswith("Kept in mine.py.\n"), said
    [told] = said_by(handouts, "from lib.mine import MyEncoderLayer\nprint(MyEncoderLayer)")
    assert told == "MyEncoderLayer: yours, from mine.py\n<class 'mine.MyEncoderLayer'>\n"
