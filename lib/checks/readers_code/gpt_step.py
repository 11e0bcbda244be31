"""One real step of notebook 12's program, in small: what is right in a check has to run there.

The page's own tensors are what a check does not give: slices that are not contiguous, whole numbers
that go into an embedding, gradients, a batch of one, a text longer than what the model sees.
"""

import torch
from torch import nn

from lib.checks.readers_code.in_a_gpt import looks
from lib.checks.run import same_random_numbers, stopped
from lib.saved.gpt_parts import PARTS
from lib.training import AdamW

V, D, D_K = 11, 12, 5  # characters, and the widths of their vectors and of the head
BATCH, LENGTH = 7, 9  # texts, and characters of each
TEXT = 60  # characters to learn from
RESULTS = ("loss", "cost", "shares", "looks")  # of a step, beside the gradients
RATE, ADD, TEMPERATURE = 0.01, 0.1, 0.8
CLOSE = {"rtol": 1e-3, "atol": 1e-5}
NO_GRADIENT = (
    "no gradient comes through NumPy, nor through no_grad, .detach() and .item(); use the tensor's "
    "own methods: x.softmax(-1), x.log_softmax(-1), x.mean()"
)
AT_WORK = {  # what is said of it, by what torch says
    "view size": "here it is given slices, whose numbers do not lie side by side; write .reshape "
    "in the place of .view",
    "inplace operation": "`x += …` writes over what the gradient still needs: write `x = x + …`",
    "'indices'": "characters are whole numbers, and it makes floats of them: dtype=torch.long",
    "numpy": NO_GRADIENT,
    "does not require grad": NO_GRADIENT,
    "attribute 'backward'": NO_GRADIENT,
}
FIXED = f"with {BATCH} texts of {LENGTH} characters it computes something else: a size is fixed"


def problem_at_work(name, answer):
    """Why the function cannot do one real step in the place of this part; "" if it can."""

    def as_tensor(*given):
        found = answer(*given)
        if name in ("pair_shares", "write_on") and not isinstance(found, torch.Tensor):
            kind = type(found).__name__
            raise NoTensorError(f"here it returns a tensor, not {kind}: torch.tensor makes one")
        return found

    try:
        found = one_step({**PARTS, name: as_tensor})
        by_chance = name == "windows"
        return "" if by_chance else _difference(found, one_step(PARTS))
    except NoTensorError as error:
        return str(error)
    except (Exception, SystemExit) as error:  # the reader's own code may fail in any way
        said = stopped(error)
        known = [sentence for part, sentence in AT_WORK.items() if part in said]
        return known[0] if known else f"at work {said.rstrip('.')}"


class NoTensorError(TypeError):
    """What a part returned in place of a tensor."""


def _difference(found, wanted):
    """What is wrong where a step of the page's own parts has other numbers; "" if none has."""
    others = [name for name in wanted if not torch.allclose(found[name], wanted[name], **CLOSE)]
    if not others:
        return ""
    return FIXED if others[0] in RESULTS else NO_GRADIENT  # what moved otherwise comes behind


class Head(nn.Module):
    def __init__(self, attend):
        super().__init__()
        self.attend = attend
        self.query, self.key, self.value = (nn.Linear(D, D_K) for _ in range(3))

    def forward(self, x):  # (B, T, D)
        return self.attend(x, self.query, self.key, self.value)  # (B, T, D_K)


class Writer(nn.Module):
    """A block with one head between an embedding and the scores; parts: those of the page."""

    def __init__(self, parts):
        super().__init__()
        self.tokens, self.places = nn.Embedding(V, D), nn.Embedding(LENGTH, D)
        self.look = nn.Sequential(Head(parts["causal_head"]), nn.Linear(D_K, D))
        self.think = nn.Sequential(nn.Linear(D, D), nn.ReLU(), nn.Linear(D, D))
        self.norm_1, self.norm_2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.block, self.output = parts["block"], nn.Linear(D, V)

    def forward(self, ids):  # (B, T)
        x = self.tokens(ids) + self.places.weight[: ids.shape[1]]  # (B, T, D)
        x = self.block(x, self.look, self.think, self.norm_1, self.norm_2)
        return self.output(x)  # (B, T, V)


def one_step(parts):
    """{name: tensor} of all that the page does once: train, measure, look, count and write.

    parts: functions by the names of lib.saved.gpt_parts.PARTS. Raises whatever they raise.
    """
    with same_random_numbers():
        torch.manual_seed(0)
        model, ids = Writer(parts), torch.randint(V, (TEXT,))
        found = _learned(model, parts, ids)
        with torch.no_grad():
            pieces = ids.unfold(0, LENGTH + 1, LENGTH // 2)  # (pieces, LENGTH + 1)
            logits = model(pieces[:, :-1])[:, LENGTH // 2 :]
            cost = float(parts["bits"](logits, pieces[:, LENGTH // 2 + 1 :]))
            shares = parts["pair_shares"](ids, V, ADD)  # (V, V)
            for writer in (model, nn.Embedding.from_pretrained(shares.log())):
                _write(writer, parts, ids)
        weights = looks(model, Head, parts["causal_head"], ids[:LENGTH])
    results = (torch.tensor(cost), shares.float(), torch.tensor(weights))
    return found | dict(zip(RESULTS[1:], results, strict=True))


def _learned(model, parts, ids):
    """The loss and each parameter's gradient, which have moved the model."""
    read, to_write = parts["windows"](ids, BATCH, LENGTH)
    loss = parts["bits"](model(read), to_write)
    loss.backward()
    AdamW(model.parameters(), 0).step(RATE)
    gradients = {}
    for name, parameter in model.named_parameters():
        gradients[name] = torch.zeros(1) if parameter.grad is None else parameter.grad
    return {"loss": loss.detach(), **gradients}


def _write(model, parts, ids):
    """As many characters more as the model sees, so that the first ones leave its sight."""

    def draw(shares):
        return torch.multinomial(shares, 1)

    text = parts["write_on"](ids[:2], model, draw, LENGTH, LENGTH, TEMPERATURE)
    characters = range(V)
    return [characters[place] for place in text]
