"""The grammar as one pattern, and how many sentences each frame can make."""

from lib import corpus


def test_what_is_made_belongs_and_what_does_not_fit_does_not():
    made = corpus.make(count=2_000, held_out=50)
    for each in [*made.train, *made.unseen_pairs, *made.unseen_triples]:
        assert corpus.belongs(each.english), each.english
    for text in ("the street was too tired", "the animal", "", "the animal was too tired was"):
        assert not corpus.belongs(text.split()), text


def test_a_frame_can_make_all_choices_of_words_that_are_not_kept_out():
    animals = len(corpus.ANIMALS)
    assert corpus.how_many("two animals") == animals * (animals - 1) * len(
        corpus.OPTIONS["two animals"]["verb"]
    )
