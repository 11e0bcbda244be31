"""The six parts of notebook 12's program, line for line as its folded solutions have them.

tools/ladder.py trains the versions of the program with them, and lib.checks.readers_code puts them
where the reader's own are not right yet. What they take and return, the checks of the page say.
"""

import torch


def pair_shares(ids, V, add):
    counts = torch.full((V, V), float(add))  # row: the character read; column: the one after it
    one = torch.tensor(1.0)
    counts.index_put_((ids[:-1], ids[1:]), one, accumulate=True)
    return counts / counts.sum(1, keepdim=True)


def bits(logits, to_write):
    logs = logits.log_softmax(-1)  # (B, T, V)
    came = logs.gather(-1, to_write[..., None])  # (B, T, 1)
    return -came.mean() / torch.tensor(2.0).log()


def write_on(ids, model, draw, count, length, temperature):
    for _ in range(count):
        logits = model(ids[None, -length:])[0, -1]  # (V,)
        shares = (logits / temperature).softmax(-1)
        ids = torch.cat([ids, draw(shares)])
    return ids


def windows(ids, batch, length):
    starts = torch.randint(len(ids) - length, (batch, 1))
    window = ids[starts + torch.arange(length + 1)]  # (batch, length + 1)
    return window[:, :-1], window[:, 1:]


def causal_head(x, query, key, value):
    q, k, v = query(x), key(x), value(x)  # (B, T, d_k) each
    scores = q @ k.mT / q.shape[-1] ** 0.5  # (B, T, T)
    past = torch.ones(x.shape[1], x.shape[1]).tril().bool()
    return scores.masked_fill(~past, -torch.inf).softmax(-1) @ v  # (B, T, d_k)


def block(x, look, think, norm_1, norm_2):
    x = x + look(norm_1(x))
    return x + think(norm_2(x))


PARTS = {
    "pair_shares": pair_shares,
    "bits": bits,
    "write_on": write_on,
    "windows": windows,
    "causal_head": causal_head,
    "block": block,
}
