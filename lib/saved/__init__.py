"""Trained models in files: safetensors (numbers and text, no code), each with its configuration and vocabularies.

`python tools/train.py` makes them. They lie in lib/saved/.
"""

import json
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from lib.corpus import WORD_GROUPS
from lib.decoding import Translator, Writer
from lib.modules import LanguageModel, Transformer
from lib.tokens import SPECIAL, Vocabulary

FOLDER = Path(__file__).parent


def save(path, trained, configuration, **facts):
    """Write a Translator or a Writer; configuration: what its model was made with; facts: what else to remember."""
    if isinstance(trained, Translator):
        words = {
            "english": trained.english.words,
            "target": trained.target.words,
            "language": trained.language,
        }
    else:
        words = {"vocabulary": trained.vocabulary.words}
    about = {
        "kind": type(trained).__name__,
        "configuration": configuration,
        "words": words,
        "facts": facts,
    }
    state = {name: tensor.contiguous() for name, tensor in trained.model.state_dict().items()}
    save_file(
        state, path, {"about": json.dumps(about, ensure_ascii=False)}
    )  # the order of several would vary


def load(name):
    """The Translator or Writer of that name in lib/saved, or in the file of that path.

    Raises ValueError for a name that there is not and for a file that is not such a model.
    """
    path = _path(name)
    try:
        about, state = _read(path)
        model = {"Translator": Transformer, "Writer": LanguageModel}[about["kind"]](
            **about["configuration"]
        )
        model.load_state_dict(state)
        words = about["words"]
        if about["kind"] == "Writer":
            return Writer(model, _vocabulary(words["vocabulary"]))
        return Translator(
            model, _vocabulary(words["english"]), _vocabulary(words["target"]), words["language"]
        )
    except (SafetensorError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ValueError(
            f"{path.name} is not a model of this course; make it anew: python tools/train.py"
        ) from error


def names():
    """The names that ``load`` knows."""
    return sorted(path.stem for path in FOLDER.glob("*.safetensors"))


def facts(name):
    """What was remembered with a saved model. Raises ValueError for a name that there is not."""
    about, _ = _read(_path(name))
    return about["facts"]


def measured(table):
    """What `python tools/measure.py` found over five seeds: a list of rows, each {name: value}.

    Raises ValueError for a table that there is not.
    """
    tables = json.loads((FOLDER / "measured.json").read_text("utf-8"))
    if table not in tables:
        raise ValueError(f"there is no table {table!r}; there are: {', '.join(tables)}.")
    return tables[table]


def _path(name):
    path = FOLDER / f"{name}.safetensors"
    path = path if path.exists() else Path(name)
    if not path.is_file():
        raise ValueError(
            f"there is no trained model {str(name)!r}; there are: {', '.join(names())}."
        )
    return path


def _read(path):
    """What a file says about its model, and the model's state."""
    with safe_open(path, "pt") as file:
        return json.loads(file.metadata()["about"]), {
            key: file.get_tensor(key) for key in file.keys()
        }  # noqa: SIM118


def _vocabulary(words):
    return Vocabulary(words[len(SPECIAL) :], WORD_GROUPS)  # it puts the special ones first itself
