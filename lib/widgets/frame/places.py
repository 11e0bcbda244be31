"""Names of parts of the Transformer, for a demo's ``where``; frame/minimap.mjs draws them."""

INPUTS = ("encoder input", "decoder input")
ATTENTION = ("encoder attention", "decoder attention", "cross-attention")
FEED_FORWARD = ("encoder feed-forward", "decoder feed-forward")
EVERYWHERE = (*INPUTS, *ATTENTION, *FEED_FORWARD)
