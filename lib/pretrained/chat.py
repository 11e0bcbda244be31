"""The chat form: a conversation as the one text that SmolLM2 was trained to go on with.

Other chat models have other forms. This one is known as ChatML.
"""

BEGIN, END = "<|im_start|>", "<|im_end|>"  # special pieces: one token each
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


def chat_form(*turns, system=SYSTEM):
    """The text of a conversation, up to where the next answer begins.

    turns: what was said, first by the user, then by the assistant, and so on; the last is the
    user's. system: what stands before all of it. Raises ValueError for turns that end otherwise.
    """
    if len(turns) % 2 == 0:
        raise ValueError(
            f"{len(turns)} turns; expected question, answer, ..., question: an odd number."
        )
    said = [("system", system)]
    for number, turn in enumerate(turns):
        said.append(("assistant" if number % 2 else "user", turn))
    text = "".join(f"{BEGIN}{who}\n{words}{END}\n" for who, words in said)
    return f"{text}{BEGIN}assistant\n"
