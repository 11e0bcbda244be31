"""What a page takes as given from the course's sentence is what its toy embeddings give."""

import ast
import re

import numpy as np

from lib.attention import softmax
from lib.corpus import toy_embeddings
from tests.pages.test_notebooks import read, sources
from tools.course import NOTEBOOKS


def test_page_2_takes_the_scores_that_page_4_computes():
    code = "\n".join(sources(read(NOTEBOOKS / "02_softmax.ipynb"), "code"))
    [numbers] = re.findall(r'scores = np\.array\((\[.*\])\)  # \(S,\), the query is "it"', code)
    X = toy_embeddings.word_vectors(toy_embeddings.FEW)
    it = X[toy_embeddings.FEW.index("it")] @ toy_embeddings.W_Q  # (d_k,)
    scores = X @ toy_embeddings.W_K @ it / np.sqrt(len(it))  # (S,)
    given = np.array(ast.literal_eval(numbers))
    np.testing.assert_allclose(given, scores, atol=0.0051)
    collected = softmax(given) @ X[:, :3]
    np.testing.assert_allclose(collected, [0.82, 0.04, 0.49], atol=0.005)
