"""Trained models in files: safetensors, each with its configuration and its vocabularies.

They hold numbers and text, no code. `tools/train.py` makes them; they lie in lib/saved/.
"""

import json
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from lib.corpus import WORD_GROUPS, join
from lib.decoding import TranslationModel, WritingModel
from lib.modules import LanguageModel, Transformer
from lib.tokens import SPECIAL, Vocabulary

FOLDER = Path(__file__).parent
LARGEST = 10_000  # no number of a configuration is larger: a file cannot ask for all the memory
SHOWN = 60  # characters of a name that is not known


def save(path, trained, configuration, **facts):
    """Write a TranslationModel or a WritingModel.

    configuration: what its model was made with; facts: what else to remember.
    """
    if isinstance(trained, TranslationModel):
        kind = "Translator"
        words = {
            "english": trained.english.words,
            "target": trained.target.words,
            "language": trained.language,
        }
    else:
        kind = "Writer"
        words = {"vocabulary": trained.vocabulary.words}
    about = {"kind": kind, "configuration": configuration, "words": words, "facts": facts}
    state = {}
    for name, tensor in trained.model.state_dict().items():  # tied ones share their memory
        state[name] = tensor.clone(memory_format=torch.contiguous_format)
    # One entry only: the order of several would vary.
    save_file(state, path, {"about": json.dumps(about, ensure_ascii=False)})


def load(name):
    """The TranslationModel or WritingModel of that name in lib/saved, or in the file of that path.

    Raises ValueError for a name that there is not and for a file that is not such a model.
    """
    path = _path(name)
    about, state = _read(path)
    try:
        return _made(about["kind"], about["configuration"], about["words"], state)
    except (KeyError, TypeError, ValueError, RuntimeError, AttributeError) as error:
        raise ValueError(_not_ours(path)) from error


def names():
    """The names that ``load`` knows."""
    return sorted(path.stem for path in FOLDER.glob("*.safetensors"))


def facts(name):
    """What was remembered with a saved model. Raises ValueError as ``load``."""
    about, _ = _read(_path(name))
    return about["facts"]


def measured(table):
    """What `tools/measure.py` found over five seeds: a list of rows, each {name: value}.

    Raises ValueError for a table that there is not.
    """
    tables = json.loads((FOLDER / "measured.json").read_text("utf-8"))
    if table not in tables:
        raise ValueError(f"there is no table {table!r}; there are: {', '.join(tables)}.")
    return tables[table]


def numbers(table, field, **about):
    """The numbers of one field in the rows of a measured table that say ``about``, seed by seed.

    Raises ValueError for a table that there is not, and where no row says that.
    """
    found = []
    for row in measured(table):
        if all(row.get(name) == value for name, value in about.items()):
            found.append(row[field])
    if not found:
        raise ValueError(f"no row of the table {table!r} says {about}.")
    return found


def span(table, field, **about):
    """The least and the greatest of those numbers, as text: "0.48-0.73"."""
    found = numbers(table, field, **about)
    return f"{min(found):.2f}-{max(found):.2f}"


def _path(name):
    if isinstance(name, str | Path):
        for path in (FOLDER / f"{name}.safetensors", Path(name)):
            try:
                if path.is_file():
                    return path
            except (OSError, ValueError):  # longer than the system allows, or with a NUL
                pass
    shown = str(name)
    if len(shown) > SHOWN:
        shown = shown[:SHOWN] + "…"
    raise ValueError(f"there is no trained model {shown!r}; there are: {', '.join(names())}.")


def _not_ours(path):
    again = ".venv/bin/python tools/train.py"
    return f"{path.name} is not a model of this course; make it again: {again}"


def _read(path):
    """What a file says about its model, and the model's state {name: tensor}."""
    try:
        with safe_open(path, "pt") as file:
            about = json.loads(file.metadata()["about"])
            state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(_not_ours(path)) from error
    if not isinstance(about, dict) or "facts" not in about:
        raise ValueError(_not_ours(path))
    return about, state


def _made(kind, configuration, words, state):
    """The trained model of a file. Raises an error of any kind for what does not fit together."""
    _refuse_huge(configuration, state)
    model = {"Translator": Transformer, "Writer": LanguageModel}[kind](**configuration)
    _refuse_numbers(state)
    model.load_state_dict(state)
    if kind == "Writer":
        return WritingModel(model, _vocabulary(words["vocabulary"], configuration["size"]))
    english = _vocabulary(words["english"], configuration["source_size"])
    target = _vocabulary(words["target"], configuration["target_size"])
    return TranslationModel(model, english, target, words["language"], join)


def _refuse_huge(configuration, state):
    """Refuse numbers that the arrays do not bear out, before a model is made of them."""
    layers = {name.split(".")[2] for name in state if ".layers." in name}
    widest = max(size for tensor in state.values() for size in tensor.shape)
    for name, value in configuration.items():
        most = LARGEST if name == "longest" else widest  # sinusoidal positions are not saved
        if name.endswith("layers"):
            most = len(layers)
        for number in value if isinstance(value, list) else [value]:
            if isinstance(number, int | float) and not number <= most:
                raise ValueError(f"{name} = {number}; expected at most {most}.")


def _refuse_numbers(state):
    """Refuse parameters that no training leaves behind."""
    for name, tensor in state.items():
        if not tensor.is_floating_point() or not tensor.isfinite().all():
            raise ValueError(f"{name} holds {tensor.dtype}; expected finite floats.")


def _vocabulary(words, size):
    """A Vocabulary of as many words as the model has places for."""
    if list(words[: len(SPECIAL)]) != list(SPECIAL):
        raise ValueError(f"the vocabulary begins with {words[: len(SPECIAL)]}, not {SPECIAL}.")
    vocabulary = Vocabulary(words[len(SPECIAL) :], WORD_GROUPS)  # it puts those first itself
    if len(vocabulary) != size or not all(isinstance(word, str) for word in words):
        raise ValueError(f"the vocabulary has {len(vocabulary)} words, the model {size}.")
    return vocabulary
