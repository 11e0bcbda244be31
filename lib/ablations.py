"""What a Transformer is without one of its parts, to train it so (notebooks 7 and 10)."""

from collections.abc import Iterable

import torch

from lib import modules


class BareEncoderLayer(modules.EncoderLayer):
    """A layer without residual: each sub-layer takes the place of what it was given."""

    def forward(self, x, mask=None):
        """x (B, T, d_model) -> the same shape."""
        normed = self.norm_1(x)
        x = self.dropout(self.attention(normed, normed, normed, mask))
        return self.dropout(self.feed_forward(self.norm_2(x)))


class BareDecoderLayer(modules.DecoderLayer):
    """A layer without residual: each sub-layer takes the place of what it was given."""

    def forward(self, x, memory, self_mask=None, cross_mask=None):
        """x (B, T, d_model), memory (B, S, d_model) -> (B, T, d_model)."""
        normed = self.norm_1(x)
        x = self.dropout(self.self_attention(normed, normed, normed, self_mask))
        x = self.dropout(self.cross_attention(self.norm_2(x), memory, memory, cross_mask))
        return self.dropout(self.feed_forward(self.norm_3(x)))


def leave_out(model, parts):
    """Take parts away from a Transformer, to train it without them: a list of names from LEAVE_OUT.

    Its parameters stay as they are. Only "scale, with smaller W_Q" multiplies W_Q and its bias by
    the scale, so that the untrained model computes what it did before. Raises ValueError for
    another name or model, and for the residual of one that is not made with norm_first.
    """
    if not isinstance(model, modules.Transformer):
        raise ValueError(f"{type(model).__name__}; expected a Transformer to leave parts out of.")
    if isinstance(parts, str) or not isinstance(parts, Iterable):
        example = parts if isinstance(parts, str) else next(iter(LEAVE_OUT))
        raise ValueError(f"{parts!r}; write a list of what to leave out, [{example!r}].")
    unknown = [part for part in parts if part not in list(LEAVE_OUT)]
    if unknown:
        raise ValueError(f"{unknown}; what can be left out: {', '.join(LEAVE_OUT)}.")
    for part in parts:
        LEAVE_OUT[part](model)


def _of_kind(model, kind):
    """The model's modules of one kind, or of several."""
    return [module for module in model.modules() if isinstance(module, kind)]


def _leave_out_scale(model):
    for attention in _of_kind(model, modules.MultiHeadAttention):
        attention.scale = 1.0


@torch.no_grad()
def _move_scale_into_queries(model):
    for attention in _of_kind(model, modules.MultiHeadAttention):
        attention.query.weight *= attention.scale
        attention.query.bias *= attention.scale
        attention.scale = 1.0


def _leave_out_positions(model):
    for embedding in _of_kind(model, modules.Embedding):
        embedding.positions.zero_()


def leave_out_residual(model):
    """Take the residual path out of the pre-norm layers of a Transformer, or of one stack of it.

    Their parameters stay as they are. Raises ValueError for a layer not made with norm_first.
    """
    bare = {modules.EncoderLayer: BareEncoderLayer, modules.DecoderLayer: BareDecoderLayer}
    for layer in _of_kind(model, tuple(bare)):
        if not layer.norm_first:
            raise ValueError(
                f"a {type(layer).__name__} norms the sum with its residual; "
                "leave the residual out of a model made with norm_first=True."
            )
        layer.__class__ = bare.get(type(layer), type(layer))  # its parameters, another formula


def _leave_out_causal_mask(model):
    model.self_mask = _no_mask


def _no_mask(T):
    """In the place of causal_mask: every token may attend to every token."""
    return None


def _leave_out_feed_forward(model):
    for feed_forward in _of_kind(model, modules.FeedForward):
        feed_forward.forward = torch.zeros_like  # this is added to its input


def _leave_out_relu(model):
    for feed_forward in _of_kind(model, modules.FeedForward):
        feed_forward.activation = _unchanged


def _leave_out_layer_norm(model):
    for norm in _of_kind(model, modules.LayerNorm):
        norm.forward = _unchanged


def _unchanged(x):
    """In the place of a ReLU or of a layer norm."""
    return x


LEAVE_OUT = {
    "scale": _leave_out_scale,
    "scale, with smaller W_Q": _move_scale_into_queries,
    "positions": _leave_out_positions,
    "residual": leave_out_residual,
    "causal mask": _leave_out_causal_mask,
    "feed-forward": _leave_out_feed_forward,
    "ReLU": _leave_out_relu,
    "layer norm": _leave_out_layer_norm,
}
