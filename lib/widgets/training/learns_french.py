"""The training on the page of demos: a small model learns French in a quarter of a minute."""

from lib import corpus
from lib.tokens import END
from lib.widgets.training.training import FRENCH, Training

SIZES = {"d_model": 64, "heads": 4, "encoder_layers": 2, "decoder_layers": 1, "d_ff": 256}


def learns_french():
    """A Training of the model of notebook 10, which its button trains anew each time."""
    import torch

    from lib import decoding, training
    from lib.modules import Transformer

    material = corpus.make("French")
    example = corpus.say("French", "tired animal")
    task = training.Translating(material, sample=example)
    recipe = training.Recipe(steps=400, warm_up=100)

    def train():
        torch.manual_seed(0)
        sizes = {"source_size": len(material.english), "target_size": len(material.target)}
        model = Transformer(**sizes, **SIZES, dropout=0.0)
        words = material.english, material.target
        translator = decoding.TranslationModel(model, *words, "French", corpus.join)
        demo.follow(
            training.fit(training.Run(model, task, recipe)),
            None,
            writes=lambda report: translator.translate(example.english).text,
            right=lambda report: report.accuracy,
        )

    demo = Training(
        None,
        [*example.target, END],
        example.english,
        recipe.steps,
        curves=[],
        question=FRENCH,
        shares=["right"],
        start=train,
    )
    return demo
