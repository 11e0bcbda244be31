import assert from "node:assert/strict";
import test from "node:test";
import { widthOf } from "../frame/lettering.mjs";
import { layout } from "./live_table.mjs";

const columns = ["", "shape", "largest error", "equal?"];
const row = ["masked, weights", "64 \u00d7 64", "1.2e-07", "yes, \u2264 1e-6"];
const textsOf = (marks) => marks.filter((mark) => mark.text !== undefined);

test("a table of any size is inside its room, and no cell covers the next", () => {
  for (const count of [0, 1, 4, 12])
    for (const height of [128, 456, 760]) {
      const room = { width: 1216, height };
      const rows = Array.from({ length: count }, () => row);
      const marks = textsOf(layout({ columns, rows, verdicts: [] }, room));
      assert.equal(marks.length, 4 * (count + 1));
      for (const [i, { x, y, size, text }] of marks.entries()) {
        const end = x + widthOf(text, size);
        const isLast = i % 4 === 3;
        const limit = isLast ? room.width + 1 : marks[i + 1].x;
        assert.ok(end <= limit && y <= height && y - size >= -1, `${text} of ${count} rows`);
      }
    }
});

test("a row that fails has a bar and bold letters", () => {
  const state = { columns, rows: [row, row], verdicts: [true, false] };
  const marks = layout(state, { width: 1216, height: 456 });
  assert.deepEqual(
    marks.filter((mark) => mark.id.startsWith("fails")).map((mark) => mark.id),
    ["fails 2"],
  );
  const kinds = ["cell 1 2", "cell 2 2"].map((id) => marks.find((mark) => mark.id === id).class);
  assert.deepEqual(kinds, ["", "bold"]);
});
