"""On Google Colab a demo's output asks for the manager of widgets that it needs there."""

import sys
from types import SimpleNamespace

from anywidget import _util

from lib import widgets

WIDGET = "application/vnd.jupyter.widget-view+json"
MANAGER = "a manager of widgets"


def test_a_demos_output_asks_colab_for_its_manager(monkeypatch):
    enabled = []
    colab = SimpleNamespace(
        enable_custom_widget_manager=lambda: enabled.append(True),
        _widgets=SimpleNamespace(_installed_url=MANAGER),
    )
    monkeypatch.setitem(sys.modules, "google.colab.output", colab)
    _util.enable_custom_widget_manager_once.cache_clear()
    data, metadata = widgets.Bars()._repr_mimebundle_()
    assert WIDGET in data and data["text/plain"].startswith("Softmax")
    assert metadata == {WIDGET: {"colab": {"custom_widget_manager": {"url": MANAGER}}}}
    assert enabled == [True]


def test_elsewhere_it_asks_for_nothing():
    _, metadata = widgets.Bars()._repr_mimebundle_()
    assert metadata == {}
