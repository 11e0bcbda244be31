"""What page 16 measures of the chat model: on a small model, in the record, and on the real one."""

import re
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest

from lib.copying import best, next_of_last_time, one_back
from lib.llama import LlamaForm, LlamaLayerParameters
from lib.modules import LlamaLayer
from lib.pretrained import copying, today
from lib.pretrained.llama_model import END_OF_TEXT, Llama
from tests.lib.stacks import trained
from tools import record

NAME = re.compile(r'chat\.measured\(\s*"([\w ]+)"')
OF_THE_DEMO = {"word costs", "looks", "thirty words"}  # lib.widgets.Copies measures these besides
ALMOST = 2e-3  # bits: another machine adds up in another order
with_weights = pytest.mark.skipif(
    not today.FILE.is_file(), reason="python3 start.py real fetches the chat model"
)


class Words:
    """A tokenizer of single letters; 40 pieces begin a word and have three letters."""

    pieces = [END_OF_TEXT, *"abcdefghij", *(f"Ġab{chr(97 + i)}" for i in range(26)), "Ġabcdefgh"]
    ids = {piece: number for number, piece in enumerate(pieces)}

    def encode(self, text):
        return [self.ids[letter] for letter in text if letter in self.ids]

    def decode(self, ids):
        return "".join(self.pieces[number] for number in ids).replace("Ġ", " ")

    def __hash__(self):
        return id(self)


def small(seed=0):
    """A chat model of two layers of four heads with random numbers."""
    layers = [
        LlamaLayerParameters.from_torch(trained(seed + layer, LlamaLayer(24, 4, 40, 2), 0.3))
        for layer in range(2)
    ]
    words, random = Words(), np.random.default_rng(seed)
    table = random.standard_normal((len(words.pieces), 24)).astype(np.float32)
    gain = np.ones(24, np.float32)
    llama = Llama(words, table, layers, gain, table.T, LlamaForm(4, 2), 512, frozenset())
    return SimpleNamespace(llama=llama)


@pytest.fixture(name="chat")
def small_chat():
    return small()


# -- the task -------------------------------------------------------------------------------------


def test_the_pool_has_whole_beginnings_of_words_alone(chat):
    pool = copying.pool_of(chat.llama.words)
    assert [chat.llama.words.pieces[number] for number in pool] == Words.pieces[11:-1]


def test_a_draw_begins_with_the_sign_and_comes_twice(chat):
    ids = copying.drawn(chat.llama, 5, seed=1)
    assert ids[0] == 0 and np.array_equal(ids[1:6], ids[6:]) and len(ids) == 11
    words = today.texts_of(copying.words_drawn(chat, 5, 1))
    assert words == [chat.llama.words.decode([number]).strip() for number in ids[1:6]]
    two = copying.draws(chat.llama, 5, [1, 2])
    assert np.array_equal(two[0], ids) and not np.array_equal(two[1], ids)


def test_heads_by_lot_are_different_ones_that_there_are():
    for seed in range(9):
        heads = copying.by_lot((3, 4), 7, seed)
        assert len({tuple(head) for head in heads}) == 7
        assert all(0 <= layer < 3 and 0 <= head < 4 for layer, head in heads)


# -- what is measured -----------------------------------------------------------------------------


def bits_alone(model, ids):
    """Bits of ids (T,) but the first, of a row that no other is read with."""
    output, _ = model.run(ids)
    return today.cost_of(model.logits(output[:-1]), np.array(ids))


def test_rows_that_are_read_together_are_those_that_are_read_alone(chat):
    rows = [[0, 3, 4, 5, 6], [0, 9], [7, 8, 1]]
    outputs, _ = today.read_together(chat.llama, rows)
    bits = today.bits_of(chat.llama, rows)
    for ids, output, cost in zip(rows, outputs, bits, strict=True):
        alone, _ = chat.llama.run(ids)
        np.testing.assert_allclose(output, alone, atol=1e-5)
        np.testing.assert_allclose(cost, bits_alone(chat.llama, ids), atol=1e-4)


def test_maps_come_back_as_they_were_packed(chat):
    weights = np.array(chat.llama.run(copying.drawn(chat.llama, 4, 0))[1])
    unpacked = copying.unpacked(copying.maps(chat, 4, 0))
    np.testing.assert_allclose(unpacked, weights, atol=0.5 / copying.STEPS + 1e-6)


def test_shares_are_those_of_each_draw(chat):
    shares = copying.shares(chat, 5, [2, 3])
    assert shares.shape == (2, 2, 2, 4)
    for row, seed in zip(shares, [2, 3], strict=True):
        weights = np.array(chat.llama.run(copying.drawn(chat.llama, 5, seed))[1])
        np.testing.assert_allclose(row[0], next_of_last_time(weights, 5), atol=1e-6)
        np.testing.assert_allclose(row[1], one_back(weights), atol=1e-6)


def test_looks_are_the_largest_of_each_row(chat):
    places, given = copying.looks(chat, 5, 0)
    weights = np.array(chat.llama.run(copying.drawn(chat.llama, 5, 0))[1])[:, :, 6:]
    assert places.shape == given.shape == (2, 4, 5, copying.MOST)
    largest = np.sort(weights, axis=-1)[..., ::-1][..., : copying.MOST]
    np.testing.assert_allclose(given / copying.STEPS, largest, atol=0.5 / copying.STEPS + 1e-6)
    found = np.take_along_axis(weights, places.astype(int), axis=-1)
    np.testing.assert_allclose(found, largest, atol=1e-6)


def test_the_first_word_of_either_time_is_left_out():
    assert copying.means_of(np.array([99, 1, 3, 99, 5, 9])) == (2, 7)


def test_a_cut_costs_what_the_model_without_those_heads_says(chat):
    cuts, N, seeds = [[], [[0, 1], [1, 3]]], 5, [0, 1]
    found = copying.costs(chat, cuts, N, seeds, ["abca", "ja"])
    assert copying.costs(chat, cuts, N, seeds, []).shape == (2, 2)
    for row, heads in zip(found, cuts, strict=True):
        model, bits = chat.llama.without(heads), []
        for seed in seeds:
            ids = copying.drawn(model, N, seed)
            bits.append(bits_alone(model, ids))
        words = copying.word_costs(chat, [heads], N, seeds[1])[0]
        np.testing.assert_allclose(words, bits[1], atol=1e-4)
        wanted = np.mean([copying.means_of(each) for each in bits], axis=0)
        np.testing.assert_allclose(row[:2], wanted, atol=1e-4)
        texts = [model.words.encode(text) for text in ("abca", "ja")]
        costs = [bits_alone(model, ids) for ids in texts]
        np.testing.assert_allclose(row[2], np.mean([cost.mean() for cost in costs]), atol=1e-4)
    assert np.abs(found[1] - found[0]).max() > 0.01


def test_a_name_is_found_where_it_stands_and_all_else_is_other(chat):
    text = "fabcgjabch"
    ids = [0, *chat.llama.words.encode(text)]
    bits = bits_alone(chat.llama, ids)  # place i: of text[i]
    [[first, second, others]] = copying.name_costs(chat, [], {"abc": text})[:, 0]
    np.testing.assert_allclose([first, second], [bits[1:4].mean(), bits[6:9].mean()], atol=1e-4)
    np.testing.assert_allclose(others, bits[[0, 4, 5, 9]].mean(), atol=1e-4)


def test_the_looks_of_a_name_are_read_where_it_stands(chat, monkeypatch):
    monkeypatch.setattr(copying, "NAMES", {"abc": "fabcgjabch"})
    _, weights = chat.llama.run([0, *chat.llama.words.encode("fabcgjabch")])
    found = copying.name_looks(chat, [[0, 1]], [[1, 2], [1, 3]], "abc", 1)
    # b is at 3 and at 8, and c, which came after it, at 4
    wanted = [weights[0][1, 4, 3], weights[1][[2, 3], 8, 4].mean()]
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_what_is_given_back_goes_through_its_own_door(chat):
    rows = copying.draws(chat.llama, 5, [0, 1])
    whole = copying.Attention()
    chat.llama.exchanged(grouped_attention=whole).run(rows)
    spoilt = chat.llama.without([[0, 2]])
    kept = copying.Attention()
    spoilt.exchanged(grouped_attention=kept).run(rows)
    for part in range(3):
        given = copying.Attention(whole.kept, part, [1])
        spoilt.exchanged(grouped_attention=given).run(rows)
        assert given.kept[1] is not whole.kept[1] and len(given.kept) == 2
        np.testing.assert_array_equal(given.kept[1][part], kept.kept[1][part])
    found = copying.given_back(chat, [[0, 2]], [[1, 0], [1, 3]], 5, [0, 1])
    assert found.shape == (5, 2)
    costs = copying.costs(chat, [[], [[0, 2]]], 5, [0, 1], [])[:, 1]
    np.testing.assert_allclose(found[:2, 0], costs, atol=1e-4)
    shares = copying.shares(chat, 5, [0, 1]).mean(0)[0]
    np.testing.assert_allclose(found[0, 1], shares[1, [0, 3]].mean(), atol=1e-6)
    assert abs(found[4, 1] - found[1, 1]) < 1e-9, "values do not change where it looks"
    assert abs(found[3, 1] - found[1, 1]) > 1e-6, "keys do"


def test_a_task_asks_for_one_of_its_examples():
    for seed in range(20):
        text, answer = copying.made_up_task(np.random.default_rng(seed))
        *examples, asked = text.split("\n")
        assert len(examples) == copying.EXAMPLES and f"{asked}{answer}" in examples
        text, answer = copying.opposite_task(np.random.default_rng(seed))
        assert answer not in text, "it has to be known"
        assert f"{text.rsplit(chr(10), 1)[1][:-3]}{answer}" in copying.OPPOSITES


def test_right_is_the_most_probable_token_after_each_text(chat, monkeypatch):
    texts = [("abc", "d"), ("jjh", "e"), ("f", "a")]
    said = [
        int(chat.llama.logits(chat.llama.run([0, *map(Words.ids.get, text)])[0])[-1].argmax())
        for text, _ in texts
    ]
    pairs = iter([(texts[0][0], Words.pieces[said[0]]), texts[1], texts[2]])
    monkeypatch.setattr(copying, "TASKS", {"one": lambda random: next(pairs)})
    monkeypatch.setattr(
        Words,
        "encode",
        lambda self, text: (
            [self.ids[text]] if text in self.ids else [self.ids[letter] for letter in text]
        ),
    )
    wanted = np.mean([1, said[1] == Words.ids["e"], said[2] == Words.ids["a"]])
    assert copying.right_answers(chat, [[]], 3, 0) == [[wanted]]


# -- the record -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recorded():
    return today.ChatModel.recorded(copying.MEASURED)


def test_every_number_of_the_page_was_recorded(recorded):
    cells = nbformat.read(record.COPIES, as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    names = {*NAME.findall(code), *OF_THE_DEMO}
    assert names == set(recorded._recorded), "run tools/record.py 16"
    for name in names:
        assert np.isfinite(recorded._recorded[name]).all()
    assert copying.MEASURED.stat().st_size <= record.LARGEST


def test_what_the_page_says_of_the_four_holds_in_the_record(recorded):
    shares = recorded._recorded["shares"].mean(0)[0]
    four = best(shares, 4)
    assert [layer for layer, _ in four].count(17) == 3, "three of them in one layer"
    nothing, cut = recorded._recorded["cuts"]
    lost = (cut[1] - nothing[1]) / (nothing[0] - nothing[1])
    assert 0.4 < lost < 0.6 and abs(cut[2] - nothing[2]) < 0.05
    lots = np.sort(recorded._recorded["lots"][:, 1])
    assert lots[3] < nothing[1] + 0.5 and lots[4] > 2 * nothing[1] and lots[5] > cut[1]
    doors = recorded._recorded["doors"][:, 0]
    assert doors[3] < doors[0] + 1 and min(doors[[1, 2, 4]]) > 3 * doors[0], "the keys alone"
    alone = recorded._recorded["alone"][:, 1]
    assert alone.argmax() == 2 and min(lots[5], alone[2]) > cut[1], "one head does nearly all"
    assert max(np.delete(alone, 2)) < nothing[1] + 0.5, "and looking one back is not enough"
    assert (recorded._recorded["name"] > 0.75).all(), "the same heads look so in the story"
    nothing, without, by_lot, unlucky = recorded._recorded["rules"]
    assert without[0] == 0 < 3 * unlucky[0] < by_lot[0] and without[1] > 0.9 * nothing[1]


def test_what_is_printed_has_a_line_for_each(recorded):
    kept = recorded._recorded
    shares = kept["shares"].mean(0)
    heads = [*copying.by_lot(shares[0].shape, 4, 6), best(shares[1], 2)[1]]
    *draw, blank, _, last = copying.told_singly(heads, kept["alone"], shares).split("\n")
    assert len(draw) == 4 and not blank
    assert "layer 17, head 1   cut: 10.79 bits" in draw[2] and "one word back 0.92" in draw[2]
    assert last.startswith("layer 12, head 2") and last.endswith("0.90")
    assert copying.told_name(kept["names"][:, 0]).endswith("9.82 bits; second time: 0.74")
    assert len(copying.told_cuts(["nothing", "the four"], kept["cuts"]).split("\n")) == 3
    assert len(copying.told_doors(kept["doors"]).split("\n")) == 6


# -- the real model -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real():
    return today.ChatModel(record=copying.MEASURED)


@with_weights
def test_the_real_model_gives_what_is_recorded(real):
    N, (one, other) = copying.LONG, copying.CHOOSING[:2]
    kept = real._recorded
    shares = copying.shares(real, N, [one, other])
    np.testing.assert_allclose(shares, kept["shares"][:2], atol=1e-4)
    four = best(kept["shares"].mean(0)[0], 4)
    bits = copying.word_costs(real, [[], four], N, copying.SHOWN)
    np.testing.assert_allclose(bits, kept["word costs"][:2], atol=ALMOST)
    places, given = copying.looks(real, N, copying.SHOWN)
    assert np.abs(given.astype(int) - kept["looks"][1]).max() <= 1
    assert (places == kept["looks"][0])[..., 0].mean() > 0.999, "ties may fall the other way"
    maps = copying.maps(real, copying.SHORT, 0)
    assert np.abs(maps.astype(int) - kept["maps"]).max() <= 1
    words = copying.words_drawn(real, N, copying.SHOWN)
    assert np.array_equal(words, kept["thirty words"])
