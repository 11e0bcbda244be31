"""The parts of notebook 12's program: the check of windows, whose part runs, where heads look."""

import inspect
import json
import re

import numpy as np
import pytest
import torch
from torch import nn

from lib import checks
from lib.checks.gpt_module import SIZES, random_model
from lib.checks.page_12 import WINDOWS, logits
from lib.checks.readers_code import (
    gpt_that_learns,
    looks,
    looks_inside,
    part,
    readable,
    text_of,
    trained,
    watched,
)
from lib.checks.readers_code.in_a_gpt import LONGEST, SHORTEST
from lib.saved import gpt_parts
from lib.saved.gpt_parts import GPT, PARTS
from lib.saved.gpt_program import cost, says
from lib.widgets import Training
from tests.checks.asking import assert_each_row_is_earned, assert_rows_differ
from tools.course import NOTEBOOKS
from tools.ladder import program

PAGES = [NOTEBOOKS / "12_a_gpt.ipynb", NOTEBOOKS / "13_it_writes.ipynb"]


def test_every_sentence_about_windows_is_earned_by_an_answer_of_the_bank():
    for table in WINDOWS.tables:
        assert_each_row_is_earned("windows", table)


def solutions():
    """The text of all cells of both pages."""
    cells = [cell for page in PAGES for cell in json.loads(page.read_text("utf-8"))["cells"]]
    return "\n".join("".join(cell["source"]) for cell in cells)


def test_every_sentence_about_a_gpt_is_earned_by_an_answer_of_the_bank():
    for table in logits.exercise.tables:
        assert_each_row_is_earned("gpt", table)
        shape = table[0].value.shape
        comparable = [row for row in table if np.shape(row.value) == shape]
        assert_rows_differ([row for row in comparable if np.isfinite(row.value).all()])


def test_the_pages_own_gpt_is_right_and_is_the_folded_solution(capsys):
    assert part(GPT, checks.gpt) is GPT
    assert capsys.readouterr().out == "gpt: yours\n"
    source = f"{inspect.getsource(gpt_parts.Layer)}\n\n{inspect.getsource(GPT)}"
    mine = re.sub(r"\b(Layer|GPT)\(", r"My\1(", source)
    assert f"```python\n{mine}```" in solutions()


def test_a_trained_gpt_gives_its_numbers_to_the_readers_class():
    course = random_model(*SIZES.values())
    ids = torch.arange(9)[None]
    with torch.no_grad():
        torch.testing.assert_close(trained(GPT, course)(ids), course(ids), rtol=1e-3, atol=1e-4)
    with pytest.raises(ValueError, match="computes something else"):
        trained(
            type("Bag", (GPT,), {"forward": lambda self, ids: self.output(self.tokens(ids))}),
            course,
        )


def test_where_a_gpt_looks_is_what_its_numbers_say_now():
    torch.manual_seed(0)
    model, ids = GPT(*SIZES.values()), torch.arange(7)
    look = looks_inside(model, SIZES.values())
    weights = look(ids)
    assert weights.shape == (SIZES["heads"], 7, 7) and not np.triu(weights, 1).any()
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-5)
    with torch.no_grad():
        model.layers[0].query.weight.mul_(3)
    assert np.abs(look(ids) - weights).max() > 0.01


def test_a_frame_trains_from_the_same_beginning_each_time():
    torch.manual_seed(0)
    model, ids = GPT(5, 12, 2, 1, 32), torch.randint(5, (400,))

    def train(model):
        for step in range(1, 4):
            loss = PARTS["bits"](model(ids[None, :32]), ids[None, 1:33])
            model.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in model.parameters():
                    parameter -= 0.1 * parameter.grad
            yield step

    texts, sizes = (list("abcde"), ids[:300], ids[300:]), (5, 12, 2, 1, 32)
    look = looks_inside(model, sizes)
    frame = watched(Training, model, train, look, texts, 3, "How far?")
    mine, other = gpt_that_learns(Training, GPT, sizes, train, texts, 3, "How far?")
    frame.start()
    other.start()
    torch.testing.assert_close(mine.state_dict(), model.state_dict())
    once = frame.history
    assert frame.curve.x == [3] and set(once) == {"read", "new"}
    assert once["new"][0] == pytest.approx(cost(model, ids[300:], 32))
    frame.start()
    assert frame.history == once


def test_what_it_says_begins_as_asked_and_is_the_same_each_time():
    model = GPT(5, 12, 2, 1, 32)
    text = says(model, list("abcde"), 32, "bad wolf", 9)
    assert text[:3] == "bad" and len(text) == 12
    assert says(model, list("abcde"), 32, "bad wolf", 9) == text
    always_b = says(model, list("abcde"), 32, "a", 3, draw=lambda shares: torch.tensor([1]))
    assert always_b == "abbb"


@pytest.mark.parametrize("name", PARTS)
def test_the_pages_own_part_is_right_and_is_the_folded_solution(name):
    assert getattr(checks, name)(PARTS[name]).ok
    found = re.findall(rf"```python\n(def my_{name}\(.*?)```", solutions(), re.DOTALL)
    source = inspect.getsource(PARTS[name])
    assert found == [source.replace(f"def {name}(", f"def my_{name}(")]


def test_the_readers_part_runs_once_it_is_right(capsys):
    def mine(x, look, think, norm_1, norm_2):
        seen = x + look(norm_1(x))
        return seen + think(norm_2(seen))

    def post(x, look, think, norm_1, norm_2):
        return norm_2(norm_1(x + look(x)) + think(norm_1(x + look(x))))

    assert part(mine, checks.block) is mine
    assert capsys.readouterr().out == "block: yours\n"
    assert part(post, checks.block) is PARTS["block"]
    assert part(..., checks.block) is PARTS["block"]
    assert "until yours is right" in capsys.readouterr().out


def in_numpy(logits, to_write):
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return -np.take_along_axis(logs, to_write[..., None], -1).mean() / np.log(2)


def as_in_every_tutorial(logits, to_write):
    B, T, V = logits.shape
    loss = nn.functional.cross_entropy(logits.view(B * T, V), to_write.view(B * T))
    return loss / np.log(2)


@torch.no_grad()
def head_without_gradient(x, query, key, value):
    return PARTS["causal_head"](x, query, key, value)


def in_place(x, look, think, norm_1, norm_2):
    x = x + look(norm_1(x))
    x += think(norm_2(x))
    return x


def detached(x, look, think, norm_1, norm_2):
    x = x.detach() + look(norm_1(x))
    return x + think(norm_2(x))


def text_of_floats(ids, model, draw, count, length, temperature):
    text = torch.zeros(len(ids) + count)
    text[: len(ids)] = ids
    for place in range(len(ids), len(text)):
        logits = model(text[max(0, place - length) : place][None])[0, -1]
        text[place] = draw((logits / temperature).softmax(-1))[0]
    return text


def at_most_six(x, query, key, value):  # as long as the texts of the check
    return PARTS["causal_head"](x[:, :6], query, key, value)


def at_most_six_texts(logits, to_write):
    return PARTS["bits"](logits[:6], to_write[:6])


@pytest.mark.parametrize(
    "answer, name, sentence",
    [
        (in_numpy, "bits", "use the tensor's own methods"),
        (as_in_every_tutorial, "bits", "write .reshape in the place of .view"),
        (head_without_gradient, "causal_head", "nor through no_grad"),
        (at_most_six, "causal_head", "at work your function stopped with RuntimeError"),
        (at_most_six_texts, "bits", "with 7 texts of 9 characters it computes something else"),
        (in_place, "block", "write `x = x + …`"),
        (detached, "block", "nor through no_grad, .detach()"),
        (text_of_floats, "write_on", "characters are whole numbers"),
    ],
)
def test_a_right_part_that_stops_at_work_is_named(answer, name, sentence, capsys):
    check = getattr(checks, name)
    assert check(answer).ok
    assert part(answer, check) is PARTS[name]
    said = capsys.readouterr().out
    assert said.startswith(f"{name}: the page's. Yours is right, but ") and sentence in said
    assert said.count("\n") == 1 and len(said) < 330


@pytest.mark.parametrize("error", [SystemExit("out"), KeyError("k")])
def test_a_part_that_leaves_is_a_sentence(error, capsys):
    def leaves(x, look, think, norm_1, norm_2):
        if x.shape[-1] > 10:
            raise error
        return PARTS["block"](x, look, think, norm_1, norm_2)

    assert part(leaves, checks.block) is PARTS["block"]
    assert f"at work your function stopped with {type(error).__name__}: " in capsys.readouterr().out


def test_a_part_is_tried_without_a_trace():
    torch.manual_seed(3)
    wanted = torch.rand(2)
    torch.manual_seed(3)
    for name, answer in OTHERS.items():
        assert part(answer, getattr(checks, name)) is answer
    assert torch.equal(torch.rand(2), wanted)


def test_what_is_given_is_a_tensor_and_what_fails_is_tried_as_an_array_in_silence(capsys):
    def looks_at_x(x, query, key, value):
        print(type(x).__name__)
        return (query(x) @ key(x).T).softmax(-1) @ value(x)

    checks.causal_head(looks_at_x)
    assert capsys.readouterr().out == "Tensor\n"
    turned = checks.causal_head(causal_by_transpose)
    assert turned == checks.causal_head(PARTS["causal_head"])


def causal_by_transpose(x, query, key, value):
    scores = query(x) @ key(x).transpose(1, 2) / key(x).shape[-1] ** 0.5
    past = torch.ones(x.shape[1], x.shape[1]).tril().bool()
    return scores.masked_fill(~past, -torch.inf).softmax(-1) @ value(x)


def test_a_right_part_that_returns_no_tensor_is_named(capsys):
    def in_numpy(ids, V, add):
        counts = np.full((V, V), add)
        np.add.at(counts, (ids[:-1], ids[1:]), 1)
        return counts / counts.sum(1, keepdims=True)

    def as_a_list(ids, model, draw, count, length, temperature):
        return PARTS["write_on"](ids, model, draw, count, length, temperature).tolist()

    for answer, check in ((in_numpy, checks.pair_shares), (as_a_list, checks.write_on)):
        assert check(answer).ok
        assert part(answer, check) is PARTS[check.__name__]
        assert "here it returns a tensor, not " in capsys.readouterr().out


def test_the_readers_own_text_is_read(tmp_path):
    path = tmp_path / "diary.txt"
    path.write_bytes(("\ufeff" + "Ça va?\r\n" * SHORTEST).encode())
    assert text_of(str(path))[:14] == "Ça va?\nÇa va?\n"  # no byte order mark, one end of a line
    path.write_text("ab" * LONGEST, "utf-8")
    assert len(text_of(path)) == LONGEST


@pytest.mark.parametrize(
    "content, sentence",
    [
        (None, "there is no file"),
        (b"", "is empty"),
        (b" \n" * SHORTEST, "is empty"),
        (b"too short", "has 9 characters, too few"),
        (b"PK\0\0" * SHORTEST, "is no plain text; save it as text"),
        (b"\x89PNG\xff" * SHORTEST, "no plain text in UTF-8"),
        ("Wörter ".encode("latin-1") * SHORTEST, "no plain text in UTF-8"),
        ("Wörter ".encode("utf-16") * SHORTEST, "no plain text in UTF-8"),
    ],
    ids=["missing", "empty", "blank", "short", "zeros", "picture", "Latin-1", "UTF-16"],
)
def test_a_text_that_cannot_be_learned_is_refused_with_a_sentence(tmp_path, content, sentence):
    path = tmp_path / "mine.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=sentence):
        text_of(path)


def test_a_text_of_many_characters_is_read_in_bytes_and_shown_whole(tmp_path):
    path, text = tmp_path / "mine.txt", "".join(map(chr, range(0x4E00, 0x4E00 + SHORTEST))) + "ok"
    path.write_text(text, "utf-8")
    found = text_of(path)
    assert len(found) == len(text.encode()) and len(set(found)) <= 256
    assert found.endswith("ok") and readable(found) == text
    assert "�" in readable(found[1:4])  # the rest of one character, the beginning of another


def test_a_path_is_a_text():
    with pytest.raises(ValueError, match="a path is a text in quotes, not int"):
        text_of(5)


def test_a_folder_is_no_text(tmp_path):
    with pytest.raises(ValueError, match="is a folder"):
        text_of(tmp_path)


class Head(nn.Module):
    def __init__(self, d_k):
        super().__init__()
        self.query, self.key, self.value = nn.Linear(8, d_k), nn.Linear(8, d_k), nn.Linear(8, d_k)

    def forward(self, x):
        return PARTS["causal_head"](x, self.query, self.key, self.value)


class Layer(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.heads = nn.ModuleList(Head(8 // heads) for _ in range(heads))

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], -1)


@pytest.mark.parametrize(
    "middle, heads",
    [(Head(8), 1), (Layer(4), 4), (nn.Sequential(Layer(2), Layer(4)), 2)],
    ids=["one head", "a layer", "the first of two layers"],
)
def test_looks_are_the_weights_of_one_layer(middle, heads):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Embedding(5, 8), middle)
    ids = torch.tensor([3, 1, 4, 1])
    weights = looks(model, Head, PARTS["causal_head"], ids)
    assert weights.shape == (heads, 4, 4)
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-6)
    assert not np.triu(weights, 1).any()
    x = model[0](ids[None])
    first = next(module for module in middle.modules() if isinstance(module, Head))
    found = weights[0] @ first.value(x)[0].detach().numpy()
    np.testing.assert_allclose(found, first(x)[0].detach().numpy(), rtol=1e-4, atol=1e-6)


def test_a_model_without_heads_is_refused():
    with pytest.raises(ValueError, match="no Head"):
        looks(nn.Embedding(5, 8), Head, PARTS["causal_head"], torch.tensor([0, 1]))


def test_looks_leaves_no_hook_behind():
    model = nn.Sequential(nn.Embedding(5, 8), Head(8))
    before = len(model[1]._forward_hooks)
    looks(model, Head, PARTS["causal_head"], torch.tensor([0, 1]))
    assert len(model[1]._forward_hooks) == before


# The parts as other readers write them: with PyTorch's own functions, and with loops.


def other_bits(logits, to_write):
    return nn.functional.cross_entropy(logits.transpose(1, 2), to_write) / np.log(2)


def other_pair_shares(ids, V, add):
    counts = torch.full((V, V), add)
    for before, after in zip(ids[:-1].tolist(), ids[1:].tolist(), strict=True):
        counts[before, after] += 1
    return nn.functional.normalize(counts, p=1, dim=1)


def other_write_on(ids, model, draw, count, length, temperature):
    text = list(ids)
    for _ in range(count):
        given = torch.tensor([[int(character) for character in text[-length:]]])
        shares = torch.softmax(torch.as_tensor(model(given))[0, -1] / temperature, -1)
        text.append(draw(shares)[0])
    return torch.tensor(text)


def other_windows(ids, batch, length):
    pieces = ids.unfold(0, length + 1, 1)
    chosen = pieces[torch.randint(len(pieces), (batch,))]
    return [chosen[:, :-1], chosen[:, 1:]]


def other_causal_head(x, query, key, value):
    return nn.functional.scaled_dot_product_attention(query(x), key(x), value(x), is_causal=True)


def other_block(x, look, think, norm_1, norm_2):
    looked = look(norm_1(x)) + x
    return think(norm_2(looked)) + looked


OTHERS = {
    "bits": other_bits,
    "pair_shares": other_pair_shares,
    "write_on": other_write_on,
    "windows": other_windows,
    "causal_head": other_causal_head,
    "block": other_block,
}


def after_two_steps(names):
    """The bits of two blocks after two steps, and what they write."""
    names["STEPS"] = 2
    torch.manual_seed(0)
    model = names["stack"](2)
    list(names["train"](model, 3e-3))
    length, loop = names["LENGTH"], names["write_on"]
    text = says(model, names["characters"], length, count=20, write_on=loop)
    return cost(model, names["held_out"], length), text


def test_a_program_of_the_readers_own_parts_learns_as_the_pages_does():
    own, page = program(), program()
    for name, answer in OTHERS.items():
        own[name] = part(answer, getattr(checks, name))
        assert own[name] is answer, name
    (bits, text), (expected, wanted) = after_two_steps(own), after_two_steps(page)
    assert bits == pytest.approx(expected, rel=1e-4)
    assert text == wanted
    shares = own["pair_shares"](own["seen"], own["V"], 0.1)
    torch.testing.assert_close(shares, page["pair_shares"](page["seen"], page["V"], 0.1))
