"""BreakIt with keys and mouse: a bet, Enter, a click on a covered row, the next cell, Reset."""

from lib.widgets.break_it.break_it import measured_rows

ROWS = [row["name"] for row in measured_rows()]
COVERED = "(count) => document.querySelectorAll('[data-id^=cover]').length === count"
READ = "print(demo.bets['no scale, 1 head'], sum(demo.drawing.shown))"


def test_bet_uncover_and_start_over(live):
    shown = live("widgets.BreakIt()", READ)
    demo = shown.demo

    def veils(count):
        shown.page.browser.wait_for_function(COVERED, arg=count)

    shown.svg.focus()
    shown.says("Predict first: bet with ← and →")
    veils(1)  # of the part that is asked about
    shown.press("Enter")
    shown.says("Order lost: it writes as if the reason came first.")
    veils(0)
    scale = ROWS.index("no scale, 1 head")
    shown.press(*["ArrowDown"] * (scale - 1), "ArrowLeft", "ArrowLeft")
    shown.says("You say 0.45 for")
    assert demo.locator(f"[data-id='value {scale}']").count() == 0
    shown.press("Enter")
    shown.says("It writes “protégé”, not “protégée”.")
    veils(0)
    demo.locator(f"[data-id='value {scale}']", has_text="0.61").wait_for()
    assert demo.locator(f"[data-id='bet {scale}']").count() == 1
    demo.get_by_text("No scale, 1 head: how many new sentences stay right?").wait_for()
    shown.press("ArrowUp", "ArrowLeft", "ArrowDown")
    veils(1)  # of the part that one has bet on
    demo.locator(f"[data-id='row {scale - 1}']").click()
    shown.says("Nothing breaks.")
    veils(0)
    assert shown.output(1) == "0.45 4"
    assert shown.problems() == []
    shown.svg.focus()
    shown.press("Enter")
    shown.says("Predict first: bet with ← and →")
    shown.press("Enter")
    demo.get_by_role("button", name="And the worst?").wait_for()
    shown.press("Enter")
    shown.says("Predict first: which row?")
    assert demo.get_by_text("breaks it most", exact=True).count() == 1
    veils(len(ROWS) - 5)
    shown.press("Enter")
    shown.says("now there is none to see.")
    veils(0)
    demo.get_by_role("button", name="Start over").wait_for()
    shown.press("Enter")
    demo.get_by_role("button", name="Sure? Start over").wait_for()
    veils(0)
    shown.press("Enter")
    shown.says("Predict first: bet")
    veils(1)
