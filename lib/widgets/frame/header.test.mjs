import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf } from "./header.mjs";

test("a page of the course is found from the site and from a notebook, and nowhere else", () => {
  const page = "05_multi_head";
  assert.equal(addressOf(page, "/course/live/Zoom.html"), "../05_multi_head.html");
  assert.equal(addressOf(page, "/lab/tree/notebooks/00_start_here.ipynb"), "05_multi_head.ipynb");
  for (const elsewhere of ["/lab", "/zoom.html", ""]) assert.equal(addressOf(page, elsewhere), "");
});
