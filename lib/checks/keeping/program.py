"""mine.py as text: what stands in it, and the same with one more function.

What is added or replaced are whole statements at the left edge; everything else stays byte for
byte.
"""

import ast
import io
from dataclasses import dataclass

from lib.checks.keeping.needs import CannotKeepError, first_line, names_used
from lib.checks.keeping.registry import KEPT

BYTE_ORDER_MARK = "\ufeff"  # some editors of Windows put it first
HEADER = '''"""Your own program: what you wrote on the pages, kept when its check said right.

A later page takes it from here: from lib.mine import my_softmax. The file is yours. Change it as
you like; where it is used, it is checked again. A newer course leaves it as it is: to carry it
along, copy it into the folder of the new pages.
"""
'''
PLAIN_STATEMENTS = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.ImportFrom)
GAP = 2  # empty lines between two definitions


class Program:
    """The text of mine.py in lines. Raises SyntaxError or ValueError for what is no Python."""

    def __init__(self, text):
        self.text = text or HEADER
        bare = self.text.removeprefix(BYTE_ORDER_MARK)
        self.mark = BYTE_ORDER_MARK if bare != self.text else ""
        self.lines = list(io.StringIO(bare, newline=""))
        self.line_end = "\r\n" if "\r\n" in bare else "\n"
        self.statements = ast.parse(bare).body
        self.bound = {}  # name: the last statement that gives it
        for statement in self.statements:
            self.bound.update(dict.fromkeys(_names_bound(statement), statement))

    def text_of(self, statement):
        return "".join(self.lines[first_line(statement) - 1 : statement.end_lineno])

    def users_of(self, name, but=()):
        """The names whose statements use this one. but: names that do not count."""
        own = {id(self.bound[each]) for each in (name, *but) if each in self.bound}
        users = []
        for other, statement in self.bound.items():
            if id(statement) not in own and name in names_used(self.text_of(statement)):
                users.append(other)
        return users

    def with_changes(self, changes):
        """The text with other lines in the place of some. changes: Change objects."""
        lines = list(self.lines)
        if lines and not lines[-1].endswith(("\n", "\r")):
            lines[-1] += self.line_end
        parts, done = [self.mark], 0
        for change in sorted(changes, key=lambda each: (each.first, each.last)):
            parts += lines[done : change.first]
            parts.append(change.text.replace("\n", self.line_end))
            done = change.last
        return "".join([*parts, *lines[done:]])


@dataclass(frozen=True)
class Change:
    """In the place of lines[first:last] comes the text; first == last puts it between two."""

    first: int
    last: int
    text: str


def _names_bound(statement):
    """The names that a statement at the left edge gives."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    names = []
    for node in ast.walk(statement):
        if isinstance(node, ast.alias):
            names.append(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.append(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.append(node.name)
    return names


def with_function(program, needs):
    """(The text of the program with these Needs in it, the names that stand there anew)."""
    merging = _Merging(program, needs)
    merging.put_imports()
    for definition in needs.definitions:
        merging.put(definition)
    return program.with_changes(merging.changes), merging.replaced


class _Merging:
    """The changes that bring the needs into the program."""

    def __init__(self, program, needs):
        self.program, self.needs = program, needs
        self.changes, self.replaced = [], []
        self.waiting = []  # texts of helpers, which stand before what uses them
        self.own = [definition.name for definition in needs.definitions]

    def put_imports(self):
        texts = []
        for line in self.needs.imports:
            there = self.program.bound.get(line.name)
            if there is None:
                texts.append(f"{line.text}\n")
            elif not _gives_the_same(there, line) and "lib.mine" not in line.text:
                raise CannotKeepError(
                    f"it uses {line.name} of `{line.text}`, and in line {there.lineno} of mine.py "
                    f"{line.name} is something else; give one of them another name."
                )
        if texts:
            place = _place_of_imports(self.program)
            self.changes.append(Change(place, place, _spaced(self.program, place, sorted(texts))))

    def put(self, definition):
        name, there = definition.name, self.program.bound.get(definition.name)
        is_target = definition is self.needs.definitions[-1]
        if definition.there:
            if there is None:
                raise CannotKeepError(
                    f"{name} came from mine.py, and stands there no more; run its check again."
                )
            return
        if name in KEPT and not is_target and not self._stands(definition, there):
            _require_right(definition)
        if isinstance(there, (ast.Import, ast.ImportFrom)):
            self._take_out(there)
            there = None
        has_block = is_target or name in KEPT
        if there is None:
            self._add(definition, has_block)
            return
        if not self._stands(definition, there):
            self._replace(definition, there, has_block)
        if has_block and self.waiting:
            place = first_line(there) - 1
            self.changes.append(Change(place, place, "".join(self._waiting_texts())))

    def _stands(self, definition, there):
        """Whether it differs from what is there in nothing but its looks."""
        if there is None:
            return False
        text = self.program.text_of(there)
        return ast.dump(ast.parse(text)) == ast.dump(ast.parse(definition.text))

    def _add(self, definition, has_block):
        self.waiting.append(definition)
        if not has_block:
            return
        kept = KEPT.get(definition.name)
        marker = f"# Page {kept.page}: {kept.heading}\n" if kept else ""
        text = marker + "".join(self._waiting_texts()).rstrip("\n") + "\n"
        end = len(self.program.lines)
        self.changes.append(Change(end, end, "\n" * self._missing_gap() + text))

    def _missing_gap(self):
        """How many empty lines are missing at the end of the file."""
        if any(change.first == len(self.program.lines) for change in self.changes):
            return GAP
        empty = 0
        for line in reversed(self.program.lines):
            if line.strip():
                break
            empty += 1
        return max(0, GAP - empty)

    def _waiting_texts(self):
        """What waits, with empty lines behind each that is no plain value."""
        texts = []
        for definition, after in zip(self.waiting, [*self.waiting[1:], None], strict=True):
            is_list = after and not callable(definition.value) and not callable(after.value)
            texts.append(definition.text + "\n" * (1 if is_list else 1 + GAP))
        self.waiting = []
        return texts

    def _replace(self, definition, there, has_block):
        name = definition.name
        _require_lines_of_its_own(self.program, there)
        users = self.program.users_of(name, but=self.own)
        if users and not has_block:
            raise CannotKeepError(
                f"it uses another {name} than the one that {users[0]} uses there; give this one "
                "another name."
            )
        self.replaced.append(name)
        text = f"{definition.text}\n"
        self.changes.append(Change(first_line(there) - 1, there.end_lineno, text))

    def _take_out(self, there):
        """The line that gave the course's version goes, where it gives nothing else."""
        if len(there.names) == 1 and getattr(there, "module", None) == "lib.mine":
            _require_lines_of_its_own(self.program, there)
            self.changes.append(Change(there.lineno - 1, there.end_lineno, ""))


def _require_right(definition):
    """A part that is an exercise of its own has to be right by its own check."""
    kept = KEPT[definition.name]
    if not kept.judge(definition.value).ok:
        raise CannotKeepError(
            f"it uses a {kept.name} that the check of page {kept.page} does not call right; give "
            "this one another name."
        )


def _gives_the_same(statement, line):
    """Whether an import of the file gives this name the same meaning as the line."""
    (wanted,) = ast.parse(line.text).body
    if type(statement) is not type(wanted):
        return False
    if getattr(statement, "module", None) != getattr(wanted, "module", None):
        return False
    alias = wanted.names[0]
    return any((a.name, a.asname) == (alias.name, alias.asname) for a in statement.names)


def _require_lines_of_its_own(program, statement):
    first, last = first_line(statement), statement.end_lineno
    for other in program.statements:
        if other is not statement and first_line(other) <= last and first <= other.end_lineno:
            raise CannotKeepError(f"line {first} of mine.py holds two statements; part them.")
    if not isinstance(statement, PLAIN_STATEMENTS):
        raise CannotKeepError(
            f"in mine.py it stands inside of line {first}; put it at the left edge there."
        )


def _place_of_imports(program):
    """The number of lines before the place where imports go: the last import's, or the text's."""
    place = 0
    for statement in program.statements:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_text and not isinstance(statement, (ast.Import, ast.ImportFrom)):
            break
        place = statement.end_lineno
    return place


def _spaced(program, place, texts):
    """Imports with an empty line before them, if they stand behind the text at the top."""
    behind = [each for each in program.statements if each.end_lineno == place]
    alone = not behind or not isinstance(behind[0], (ast.Import, ast.ImportFrom))
    before = "\n" if alone and place else ""
    return before + "".join(texts)
