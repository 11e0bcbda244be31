import pytest

from lib.corpus import LANGUAGES
from tests.corpus.shared import whole


@pytest.fixture(scope="module", params=list(LANGUAGES))
def corpus(request):
    """The corpus of each language, as the shipped models learned it."""
    return whole(request.param)
