"""Measure over five seeds what notebooks 10 and 11 claim: `tools/measure.py`.

    .venv/bin/python tools/measure.py recipes parts --seeds 0 1    some of the work and of the seeds

recipes: French and Chinese translators trained by several recipes (tools/measure_recipes.py), which
fill the tables maps, rows, row weights, heads and fair cuts. parts: the French one with one thing
changed at a time (tools/measure_parts.py); longer: some of these with more steps. Each model is
trained in a process of its own, on one thread; an hour on two cores. What was measured takes the
place of what was there of the same model, in lib/saved/measured.json.
"""

import argparse
import json
import multiprocessing
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lib import corpus, saved
from tools.measure_parts import TRAINED_LONGER, VARIANTS, longer, parts
from tools.measure_recipes import FRENCH_ALONE, RECIPES, of_model, trained_by

FILE = saved.FOLDER / "measured.json"
NAMES = ("language", "recipe", "variant", "seed", "change")  # what tells the rows of a table apart


def by_recipe(language, recipe, seed):
    """{table: its rows} of a translator trained by a recipe."""
    material = corpus.make(language)
    return of_model(trained_by(recipe, material, seed), material, recipe, seed)


def without_a_part(variant, seed):
    return {"parts": [parts(variant, seed)]}


def with_more_steps(variant, seed):
    return {"longer": [longer(variant, seed)]}


WORK = {"recipes": by_recipe, "parts": without_a_part, "longer": with_more_steps}


def jobs(kinds, seeds):
    """All that there is to do, as (kind, arguments of its function)."""
    choices = {"recipes": [], "parts": [], "longer": []}
    for language in corpus.LANGUAGES:
        some = [each for each in RECIPES if language == "French" or each not in FRENCH_ALONE]
        choices["recipes"] += [(language, recipe) for recipe in some]
    choices["parts"] += [(variant,) for variant in VARIANTS]
    choices["longer"] += [(variant,) for variant in TRAINED_LONGER]
    work = []
    for kind in kinds:
        for chosen in choices[kind]:
            work += [(kind, (*chosen, seed)) for seed in seeds]
    return work


def do(job):
    """What a process of its own measures: {table: its rows}."""
    torch.set_num_threads(1)
    kind, arguments = job
    return WORK[kind](*arguments)


def merged(measured, tables):
    """All tables with some new rows, which take the place of those with the same names."""
    result = dict(measured)
    for table, rows in tables.items():
        known = {names_of(row): row for row in measured.get(table, [])}
        known |= {names_of(row): row for row in rows}
        result[table] = sorted(known.values(), key=place_in_table)
    return result


def names_of(row):
    """What a row is about; a table's rows have it of the same kinds."""
    return tuple(row.get(name) for name in NAMES)


def place_in_table(row):
    """Rows stand in the order of languages, recipes or variants, then seeds; changes as found."""
    order = [*corpus.LANGUAGES, *RECIPES, *VARIANTS]
    names = [order.index(row[name]) for name in NAMES[:3] if name in row]
    return [*names, row["seed"]]


def text_of(measured):
    """The tables as JSON, one row on a line."""
    tables = []
    for table, rows in sorted(measured.items()):
        lines = [json.dumps(row, sort_keys=True, ensure_ascii=False) for row in rows]
        tables.append(f"{json.dumps(table)}: [\n" + ",\n".join(lines) + "\n]")
    return "{\n" + ",\n".join(tables) + "\n}\n"


def asked_for():
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    about = f"{', '.join(WORK)}; all if not given"
    parser.add_argument("kinds", nargs="*", default=[], metavar="WORK", help=about)
    parser.add_argument("--seeds", type=int, nargs="*", default=range(5))
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


def main():
    asked = asked_for()
    work = jobs(asked.kinds or list(WORK), asked.seeds)
    measured = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    context = multiprocessing.get_context("spawn")
    with context.Pool(asked.processes, maxtasksperchild=1) as pool:
        for tables in pool.imap(do, work):
            print(json.dumps(tables), flush=True)
            measured = merged(measured, tables)
            FILE.write_text(text_of(measured), "utf-8")


if __name__ == "__main__":
    main()
