"""The maps of any model that is made of torch.nn's own layers (page 14)."""

from contextlib import ExitStack, contextmanager


def attention_maps(module, *inputs, **options):
    """{name: (B, H, T, S)}: the weights of every nn.MultiheadAttention in one run of a module.

    ``module(*inputs, **options)`` runs once, without gradients, and is left as it was: for
    nn.TransformerEncoder, nn.TransformerDecoder, nn.Transformer or a module of your own that uses
    their layers. The names, such as "layers.0.self_attn", are in the order of the run; one sequence
    without a batch, (T, d_model), leaves (H, T, S). Where dropout is on, in training, weights are
    those after it: call module.eval() first. Raises ValueError for a module without any.
    """
    # Here, for the encoder of page 14 does without PyTorch, which is large.
    from torch import nn, no_grad

    found = {
        one: name for name, one in module.named_modules() if isinstance(one, nn.MultiheadAttention)
    }
    if not found:
        raise ValueError(
            f"no nn.MultiheadAttention in this {type(module).__name__}; of our own modules "
            "lib.interventions.looking has the maps."
        )
    maps = {}

    def ask(attention, given, named):
        return given, {**named, "need_weights": True, "average_attn_weights": False}

    def keep(attention, given, output):
        maps[found[attention]] = output[1].detach()

    with ExitStack() as stack:
        stack.enter_context(no_grad())
        stack.enter_context(_slow_path())
        for attention in found:
            stack.enter_context(attention.register_forward_pre_hook(ask, with_kwargs=True))
            stack.enter_context(attention.register_forward_hook(keep))
        module(*inputs, **options)
    return maps


@contextmanager
def _slow_path():
    """In eval torch.nn's encoder takes a fast path, which has no weights and calls no hooks."""
    from torch.backends import mha

    was = mha.get_fastpath_enabled()
    mha.set_fastpath_enabled(False)
    try:
        yield
    finally:
        mha.set_fastpath_enabled(was)
