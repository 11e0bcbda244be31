"""Word pieces split by plain code are those of the usual tokenizer."""

import json

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from lib.pretrained.word_pieces import pieces, read_vocabulary, tokens, words
from tests.pretrained.varied_texts import varied_texts
from tools.real_model import FOLDER

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

TEXTS = varied_texts()


def some_pieces():
    """A vocabulary: most signs of the texts, at the start and later on, and parts of their words.

    Every seventh sign is left out, so that there are unknown ones.
    """
    found = list(SPECIAL)
    for number, sign in enumerate(sorted(set("".join(words(" ".join(TEXTS)))))):
        if number % 7:
            found += [sign, f"##{sign}"]
    for word in sorted(set(words(" ".join(TEXTS[:30])))):
        found += [word[:2], word[:3], f"##{word[1:3]}", f"##{word[-2:]}", word[:5]]
    return {piece: number for number, piece in enumerate(dict.fromkeys(found))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a tokenizer.json that the usual library wrote."""
    vocabulary = some_pieces()
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    around = [(name, vocabulary[name]) for name in ("[SEP]", "[CLS]")]
    tokenizer.post_processor = processors.BertProcessing(*around)
    tokenizer.add_special_tokens(SPECIAL)
    made = tmp_path_factory.mktemp("tokenizer")
    tokenizer.save(str(made / "tokenizer.json"))
    return made


def same_pieces(folder):
    theirs = Tokenizer.from_file(str(folder / "tokenizer.json"))
    theirs.no_padding()
    theirs.no_truncation()
    vocabulary = read_vocabulary(folder)
    unknown = 0
    for text in TEXTS:
        ours, other = tokens(text, vocabulary), theirs.encode(text)
        assert ours == other.tokens, text
        assert [vocabulary[piece] for piece in ours] == other.ids
        unknown += "[UNK]" in ours
    assert 10 < unknown < len(TEXTS)


def test_varied_texts_are_split_as_the_tokenizer_does(folder):
    assert len(TEXTS) > 1_000
    same_pieces(folder)


@pytest.mark.skipif(not FOLDER.is_dir(), reason="python3 start.py real fetches the real model")
def test_the_real_vocabulary_splits_as_its_tokenizer_does():
    same_pieces(FOLDER)


def test_words_are_plain():
    assert words("Don't STOP, Crème brûlée!") == "don ' t stop , creme brulee !".split()
    assert words("它太累了。") == list("它太累了。")


def test_a_word_is_cut_into_its_longest_pieces():
    vocabulary = dict.fromkeys(["un", "una", "##f", "##ffa", "##ble", "a", "[UNK]"], 0)
    assert pieces("unaffable", vocabulary) == ["una", "##ffa", "##ble"]
    assert pieces("unaffably", vocabulary) == ["[UNK]"]
    assert tokens("a b", vocabulary) == ["[CLS]", "a", "[UNK]", "[SEP]"]


# -- what is no such tokenizer ---------------------------------------------------------------------


def test_a_folder_without_it_says_how_to_fetch_it(tmp_path):
    with pytest.raises(ValueError, match=r"there is no tokenizer.json in .* python3 start.py real"):
        read_vocabulary(tmp_path)


BROKEN = ["", "{", "[]", "{}", "null", '{"model": 3}', '{"model": {"vocab": {}}}', "[" * 100_000]


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: text[:12])
def test_a_broken_file_is_refused(tmp_path, text):
    (tmp_path / "tokenizer.json").write_text(text)
    with pytest.raises(ValueError, match="cannot be read: it is cut off, or no tokenizer's file"):
        read_vocabulary(tmp_path)


def test_a_file_that_is_cut_off_is_refused(folder, tmp_path):
    whole = (folder / "tokenizer.json").read_bytes()
    (tmp_path / "tokenizer.json").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="it is cut off"):
        read_vocabulary(tmp_path)


@pytest.mark.parametrize(
    "part, changed, sentence",
    [
        ("model", {"type": "BPE"}, "is a BPE with lowercase = True; expected a WordPiece"),
        ("normalizer", {"lowercase": False}, "is a WordPiece with lowercase = False; expected"),
        ("model", {"vocab": {"a": 0}}, r"expected .* the piece \[UNK\]"),
    ],
)
def test_a_tokenizer_that_splits_otherwise_is_refused(folder, tmp_path, part, changed, sentence):
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    tokenizer[part] |= changed
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    with pytest.raises(ValueError, match=sentence):
        read_vocabulary(tmp_path)
