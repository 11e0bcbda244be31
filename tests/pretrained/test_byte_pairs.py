"""Byte pairs merged by plain code are those of the usual tokenizer, and give the text back."""

import json

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from lib.pretrained.byte_pairs import (
    BytePairs,
    byte_letters,
    folder_byte_pairs,
    gguf_byte_pairs,
    words,
)
from lib.pretrained.gguf_file import GGUFFile
from tests.pretrained.gguf_writer import gguf_bytes
from tests.pretrained.varied_texts import nasty_texts, varied_texts
from tools.real_model import CHAT

TEXTS = nasty_texts(10_000)
SPECIAL = ["<|im_end|>", "<|im_start|>", "<repo_name>", "<repo"]
DIGITS = pre_tokenizers.Digits(individual_digits=True)


def cut(numbers_alone):
    by_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    return pre_tokenizers.Sequence([DIGITS, by_bytes]) if numbers_alone else by_bytes


@pytest.fixture(scope="module", params=[True, False], ids=["numbers alone", "as GPT-2"])
def folder(request, tmp_path_factory):
    """A folder with a tokenizer.json that the usual library trained; some bytes have no piece."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = cut(request.param)
    trainer = trainers.BpeTrainer(vocab_size=900, special_tokens=SPECIAL, show_progress=False)
    tokenizer.train_from_iterator(varied_texts()[5:], trainer)
    tokenizer.decoder = decoders.ByteLevel()
    made = tmp_path_factory.mktemp("tokenizer")
    tokenizer.save(str(made / "tokenizer.json"))
    return made


def same_pieces(ours, theirs, texts=TEXTS):
    for text in texts:
        ids, other = ours.encode(text), theirs.encode(text).ids
        assert ids == other, text
        assert ours.decode(ids) == theirs.decode(other, skip_special_tokens=False), text


def test_ten_thousand_nasty_texts_are_cut_as_the_tokenizer_does(folder):
    ours = folder_byte_pairs(folder)
    assert len(TEXTS) == 10_000
    assert not set(byte_letters().values()) <= set(ours.pieces)
    same_pieces(ours, Tokenizer.from_file(str(folder / "tokenizer.json")))


@pytest.mark.skipif(not CHAT.is_file(), reason="python3 start.py real fetches the chat model")
def test_the_real_pieces_are_those_of_the_usual_tokenizer():
    file = GGUFFile(CHAT, "llama")
    ours = gguf_byte_pairs(file)
    merges = [tuple(merge.split(" ")) for merge in file.texts("tokenizer.ggml.merges")]
    theirs = Tokenizer(models.BPE(ours.ids, merges))
    theirs.pre_tokenizer, theirs.decoder = cut(True), decoders.ByteLevel()
    tokens = [AddedToken(piece, normalized=False) for piece in sorted(ours.special)]
    theirs.add_special_tokens(tokens)
    same_pieces(ours, theirs)


def test_words_are_cut_where_gpt_2_cuts_them():
    assert words("It's 2025,  don't!", False) == ["It", "'s", " 2025", ",", " ", " don", "'t", "!"]
    assert words("It's 2025,  don't!", True) == [
        "It", "'s", " ", "2", "0", "2", "5", ",", " ", " don", "'t", "!"
    ]  # fmt: skip
    assert words("a \n b  ", False) == ["a", " \n", " b", "  "]
    assert words("", True) == words("", False) == []


def test_the_pair_that_was_merged_first_is_merged_first():
    pieces = [*"abc", "bc", "ab", "abc"]
    merges = [("b", "c"), ("a", "b"), ("ab", "c")]
    pairs = BytePairs(pieces, merges, [], False)
    assert pairs.encode("abc") == [0, 3] and pairs.encode("aabc") == [0, 0, 3]
    assert pairs.encode("ab") == [4] and pairs.encode("abab") == [4, 4]
    assert pairs.encode("xay") == [0]  # bytes that no piece has are left out
    assert pairs.decode([0, 3]) == "abc"


def test_a_word_without_end_does_not_take_long(folder):
    """A hundred thousand letters: each merge looks at its neighbours, not at the whole word."""
    text = "street" * 17_000
    ours = folder_byte_pairs(folder)
    assert ours.encode(text) == Tokenizer.from_file(str(folder / "tokenizer.json")).encode(text).ids


def test_what_is_no_text_or_no_piece_is_refused(folder):
    ours = folder_byte_pairs(folder)
    with pytest.raises(ValueError, match="half of a surrogate pair, which is no character"):
        ours.encode("a \ud83d b")
    for number in (-1, len(ours.pieces)):
        with pytest.raises(ValueError, match=f"piece {number}; expected whole numbers from 0 to"):
            ours.decode([number])
    half = ours.encode("ß")[:1]
    assert ours.decode(half) == "\ufffd" or len(ours.encode("ß")) == 1


# -- tokenizer.json that is none, or of another kind -----------------------------------------------


def test_a_folder_without_it(tmp_path):
    with pytest.raises(ValueError, match="there is no tokenizer.json in .* Copy it there"):
        folder_byte_pairs(tmp_path)


BROKEN = ["", "{", "[]", "{}", "null", '{"model": 3}', '{"model": {"vocab": {}}}', "[" * 100_000]


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: text[:12])
def test_a_broken_file_is_refused(tmp_path, text):
    (tmp_path / "tokenizer.json").write_text(text)
    with pytest.raises(ValueError, match="cannot be read: it is cut off, or no tokenizer's file"):
        folder_byte_pairs(tmp_path)


def with_changes(folder, tmp_path, change):
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    change(tokenizer)
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    return tmp_path


OTHERS = {
    "type = 'WordPiece'": lambda t: t["model"].update(type="WordPiece"),
    "dropout = 0.1": lambda t: t["model"].update(dropout=0.1),
    "ignore_merges = True": lambda t: t["model"].update(ignore_merges=True),
    "byte_fallback = True": lambda t: t["model"].update(byte_fallback=True),
    "end_of_word_suffix = '</w>'": lambda t: t["model"].update(end_of_word_suffix="</w>"),
    "unk_token = '<repo'": lambda t: t["model"].update(unk_token="<repo"),
    "normalizer = {'type': 'NFC'}": lambda t: t.update(normalizer={"type": "NFC"}),
    "post_processor = 'TemplateProcessing'": lambda t: t.update(
        post_processor={"type": "TemplateProcessing"}
    ),
    "pre_tokenizer = {'type': 'Whitespace'}": lambda t: t.update(
        pre_tokenizer={"type": "Whitespace"}
    ),
    "pre_tokenizer = {'type': 'ByteLevel'": lambda t: t.update(
        pre_tokenizer={"type": "ByteLevel", "add_prefix_space": True}
    ),
    "pre_tokenizer = None": lambda t: t.update(pre_tokenizer=None),
    "lstrip of '<|im_end|>'": lambda t: t["added_tokens"][0].update(lstrip=True),
}


@pytest.mark.parametrize("sentence", OTHERS)
def test_a_tokenizer_that_cuts_otherwise_is_refused(folder, tmp_path, sentence):
    changed = with_changes(folder, tmp_path, OTHERS[sentence])
    with pytest.raises(ValueError) as error:
        folder_byte_pairs(changed)
    assert f"says {sentence}" in str(error.value) and "not known here" in str(error.value)


SPOILED = {
    "cannot be read": lambda t: t["model"]["vocab"].update({"new": 10**6}),
    "cannot be read: it": lambda t: t["model"]["merges"].append(["a"]),
    "'not there' is no piece": lambda t: t["model"]["merges"].append(["not there", "b"]),
    "is no piece of this tokenizer, or none": lambda t: t["model"]["merges"].append(["~", "~"]),
}


@pytest.mark.parametrize("sentence", SPOILED)
def test_a_tokenizer_that_does_not_fit_itself_is_refused(folder, tmp_path, sentence):
    with pytest.raises(ValueError, match=sentence):
        folder_byte_pairs(with_changes(folder, tmp_path, SPOILED[sentence]))


# -- the same in a GGUF file -----------------------------------------------------------------------

SETTINGS = {
    "general.architecture": "llama",
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "smollm",
    "tokenizer.ggml.tokens": ["<end>", *"abc1", "bc"],
    "tokenizer.ggml.token_type": [3, 1, 1, 1, 1, 1],
    "tokenizer.ggml.merges": ["b c"],
}


def in_gguf(folder, **changed):
    settings = SETTINGS | {f"tokenizer.ggml.{name}": value for name, value in changed.items()}
    path = folder / "model.gguf"
    kept = {name: value for name, value in settings.items() if value is not None}
    path.write_bytes(gguf_bytes(kept, {}))
    return gguf_byte_pairs(GGUFFile(path, "llama"))


def test_the_pieces_of_a_gguf_file(tmp_path):
    pairs = in_gguf(tmp_path)
    assert pairs.encode("abc<end>11") == [1, 5, 0, 4, 4]
    assert pairs.decode([1, 5, 0, 4]) == "abc<end>1"
    assert pairs.numbers_alone and not in_gguf(tmp_path, pre="gpt-2").numbers_alone


@pytest.mark.parametrize(
    "changed, sentence",
    [
        ({"model": "llama"}, "says tokenizer.ggml.model = 'llama'; expected 'gpt2'"),
        ({"pre": "llama-bpe"}, "says tokenizer.ggml.pre = 'llama-bpe'; expected one of smollm,"),
        ({"pre": None}, "says tokenizer.ggml.pre = None; expected one of"),
        ({"add_bos_token": True}, "says tokenizer.ggml.add_bos_token = True; expected False"),
        ({"tokens": None}, "tokens = 'NoneType'; expected a list of texts"),
        ({"tokens": ["<end>", *"abca", "bc"]}, "a piece of this tokenizer comes twice"),
        ({"tokens": ["<end>", *"abc ", "bc"]}, "' ' is no piece of this tokenizer, or none that"),
        ({"tokens": ["<end>", *"abc", "", "bc"]}, "'' is no piece of this tokenizer"),
        ({"token_type": [3, 1]}, "the length of tokenizer.ggml.token_type = 2; expected 6"),
        ({"token_type": [3, 1, 1, 1, 1, 6]}, "that 'bc' is of the kind = 6; expected 1, 3 or 4"),
        ({"merges": ["b c a"]}, r"a merge of = \('b', 'c', 'a'\); expected two pieces"),
        ({"merges": ["a b"]}, "'ab' is no piece of this tokenizer"),
    ],
)
def test_pieces_of_a_gguf_file_that_are_refused(tmp_path, changed, sentence):
    with pytest.raises(ValueError, match=sentence):
        in_gguf(tmp_path, **changed)
