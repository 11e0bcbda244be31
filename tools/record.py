"""Record what the fetched models do on pages 14 to 16, for readers who have not fetched them.

    .venv/bin/python tools/record.py [14] [15] [16]

From the models in real_model/, which `python3 start.py real` fetches, it writes files of at most
150 kB into lib/pretrained: the maps of four sentences (recorded.safetensors), and every number that
a page measures (measured.safetensors, measured_today.safetensors, measured_copying.safetensors),
found by the page's own cells.
"""

import io
import json
import os
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path

import nbformat
import numpy as np
from safetensors.numpy import save_file

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib.pretrained import bert, copying, llama, talk, today
from lib.pretrained.fetched import MEASURED
from lib.pretrained.recorded import FILE
from lib.pretrained.sentences import LONG, PAIRS, PLAIN
from lib.pretrained.word_pieces import read_vocabulary, tokens, words
from tools import help_if_asked
from tools.course import NOTEBOOKS, notebooks
from tools.real_model import FOLDER

PAGE = NOTEBOOKS / "14_a_real_model.ipynb"
TODAY = NOTEBOOKS / "15_a_model_of_today.ipynb"
COPIES = NOTEBOOKS / "16_who_copies.ipynb"
LARGEST = 150_000  # bytes
SENTENCES = [
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    "The trophy didn't fit into the suitcase because it was too small.",
    "Unaffable tokenizers cut unknown words into pieces.",
]
CUT = "kitten, learned, uncovered"  # words that the page cuts besides
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
HEADING = re.compile(r"^##+ (.*)", re.MULTILINE)
FENCED = re.compile(r"```.*?```", re.DOTALL)
# Headings that say nothing of what stands below them, and how a heading begins.
EVERYWHERE = re.compile(
    r"Play|Recap|Exercise|Equal to PyTorch|Build (it|them)|The function|"
    r"For the curious|Further|Back and on|\d\w? · "
)
COUNTED = re.compile(r"^Experiment \d: |\(\d+ minutes\)$")  # what is no part of a heading's words


def record_maps(model, vocabulary):
    arrays, about = {}, {}
    for number, text in enumerate(SENTENCES):
        found = tokens(text, vocabulary)
        _, maps = model.run([vocabulary[piece] for piece in found])
        arrays[str(number)] = np.array(maps, np.float16)  # (layers, H, T, T)
        about[str(number)] = {"text": text, "tokens": found}
    write(FILE, arrays, about)
    print(f"{FILE.name}: {len(SENTENCES)} sentences, {FILE.stat().st_size} bytes.")


def record_numbers(vocabulary):
    about = {"vocabulary": part_of(vocabulary), "words": words_of_the_page()}
    about["headings"] = headings()
    write(MEASURED, {}, about)  # the page reads the headings from there
    record_page(PAGE, "real", MEASURED, about)


def record_page(page, name, path, about):
    """Run a page; what its model of this name measured goes into the file."""
    model = run_page(page)[name]
    write(path, model.found, {**about, "inputs": model.inputs})
    print(f"{path.name}: {', '.join(model.found)}, {path.stat().st_size} bytes.")


def write(path, arrays, about):
    arrays = {name: np.array(array, order="C") for name, array in arrays.items()}
    # One entry only: the order of several would vary.
    save_file(arrays, path, {"about": json.dumps(about, ensure_ascii=False)})
    size = path.stat().st_size
    if size > LARGEST:
        sys.exit(f"{path.name} has {size} bytes, and at most {LARGEST} are wanted: shorten it.")


def run_page(page):
    """Run the cells of a page; its names."""
    names = {}
    with redirect_stdout(io.StringIO()):
        for cell in nbformat.read(page, as_version=4).cells:
            if cell.cell_type == "code":
                exec(cell.source, names)
    return names


def part_of(vocabulary):
    """All pieces that the words of the page could be cut into, with their ids."""
    part = {piece: vocabulary[piece] for piece in SPECIAL}
    for word in words_of_the_page():
        part.update(pieces_within(word, vocabulary))
    return dict(sorted(part.items(), key=lambda pair: pair[1]))


def words_of_the_page():
    nouns = [noun for pair in PAIRS for noun in pair]
    texts = [*SENTENCES, *PLAIN, *LONG, *nouns, CUT]
    return sorted({word for text in texts for word in words(text)})


def pieces_within(word, vocabulary):
    found = {}
    for start in range(len(word)):
        for end in range(start + 1, len(word) + 1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                found[piece] = vocabulary[piece]
    return found


def headings():
    """[(page, "title: heading")] of the pages 1 to 13, without those that every page has."""
    found = []
    for path in notebooks():
        if not path.name[:2].isdigit() or not "01" <= path.name[:2] < PAGE.name[:2]:
            continue
        cells = nbformat.read(path, as_version=4).cells
        texts = [FENCED.sub("", cell.source) for cell in cells if cell.cell_type == "markdown"]
        title = texts[0].splitlines()[0].partition(" · ")[2]
        for heading in HEADING.findall("\n".join(texts)):
            if not EVERYWHERE.match(heading):
                heading = COUNTED.sub("", heading.replace("*", "")).strip()
                found.append((int(path.name[:2]), f"{title}: {heading}"))
    return found


def record_talk():
    spoken = talk.talk_to(llama(today.FILE), today.FRANCE)
    write(talk.FILE, *talk.packed(today.FRANCE, spoken, spoken.length()))
    print(f"{talk.FILE.name}: {talk.FILE.stat().st_size} bytes.")


def record_14():
    vocabulary = read_vocabulary(FOLDER)
    record_maps(bert(FOLDER), vocabulary)
    record_numbers(vocabulary)


def record_15():
    record_talk()
    if not today.MEASURED.exists():
        write(today.MEASURED, {}, {})  # the page reads it
    record_page(TODAY, "chat", today.MEASURED, {})


def record_16():
    if not copying.MEASURED.exists():
        write(copying.MEASURED, {}, {})  # the page reads it
    record_page(COPIES, "chat", copying.MEASURED, {})


if __name__ == "__main__":
    help_if_asked(__doc__)
    os.environ["LIB_MINE"] = "off"  # the course's functions, not what is kept here
    for number in sys.argv[1:] or ("14", "15", "16"):
        {"14": record_14, "15": record_15, "16": record_16}[number]()
