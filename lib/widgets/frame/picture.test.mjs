// The lines of a picture's texts, the names of its files, the numbers and colours of its SVG.
import assert from "node:assert/strict";
import { test } from "node:test";
import { breakLines } from "./lettering.mjs";
import { chooseSize, fileName } from "./picture.mjs";
import { moved, tidy } from "./svg_copy.mjs";

/** A font whose letters are all as wide as their size. */
const wide = (text, size = 1) => text.length * size;
const SIZES = [
  { size: 24, most: 1 },
  { size: 12, most: 2 },
];

test("lines break between words, and between Chinese letters", () => {
  assert.deepEqual(breakLines("one two three", 7, wide), ["one two", "three"]);
  assert.deepEqual(breakLines("动物没有穿过", 4, wide), ["动物没有", "穿过"]);
  assert.deepEqual(breakLines("incomprehensible", 4, wide), ["incomprehensible"]);
  assert.deepEqual(breakLines("", 4, wide), [""]);
});

test("the largest size that fits is taken, in lines of about one length", () => {
  assert.deepEqual(chooseSize("short", SIZES, 120, wide), { size: 24, most: 1, lines: ["short"] });
  assert.deepEqual(chooseSize("one two three four", SIZES, 500, wide).lines.length, 1);
  const { size, lines } = chooseSize("it was too tired to cross", SIZES, 250, wide);
  assert.equal(size, 12);
  assert.deepEqual(lines, ["it was too", "tired to cross"]);
});

test("what is too long even for the smallest size is cut, and says so", () => {
  const { lines } = chooseSize("one two three four five six", SIZES, 100, wide);
  assert.equal(lines.length, 2);
  assert.ok(lines[1].endsWith("\u2026"));
});

test("files are named as the demo", () => {
  assert.equal(fileName("Softmax: scores become shares"), "softmax");
  assert.equal(fileName("Tokens need not be words: patches"), "tokens-need-not-be-words");
  assert.equal(fileName("n"), "n");
  assert.equal(fileName("?"), "picture");
});

test("numbers are short", () => {
  assert.equal(tidy("translate(1110.2222,7.0710678)", moved), "translate(1110.22,7.07107)");
  assert.equal(tidy("M 1.23456 -0.001 L 12px 3"), "M 1.23 0 L 12 3");
});
