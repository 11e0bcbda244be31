// Looks: which attributes a node gets from its kinds, and which it loses with them.
import assert from "node:assert/strict";
import test from "node:test";
import { wardrobe } from "./looks.mjs";

/** A node that only has attributes. */
function nodeOf(localName) {
  const attributes = new Map();
  return {
    localName,
    attributes,
    getAttribute: (name) => attributes.get(name) ?? null,
    setAttribute: (name, value) => attributes.set(name, value),
    removeAttribute: (name) => attributes.delete(name),
  };
}

function worn(localName, classes, own) {
  const node = nodeOf(localName);
  wardrobe(own)(node, classes);
  return Object.fromEntries(node.attributes);
}

test("a kind looks otherwise as letters, and where kinds meet", () => {
  assert.equal(worn("rect", "key").fill, "var(--key)");
  assert.equal(worn("text", "key").fill, "var(--key-text)");
  assert.equal(worn("text", "").fill, "var(--ink)");
  const own = { "key.band": { opacity: 0.5 } };
  assert.equal(worn("path", "key band", own).opacity, 0.5);
  assert.equal(worn("path", "band", own).opacity, undefined);
});

test("a drawing's own look comes after the frame's", () => {
  const { fill, stroke } = worn("rect", "ghost", { ghost: { stroke: "red" } });
  assert.deepEqual([fill, stroke], ["none", "red"]);
});

test("with another class a node loses what only the first one had", () => {
  const node = nodeOf("path");
  const wear = wardrobe();
  wear(node, "ghost");
  assert.ok(node.attributes.has("stroke-dasharray"));
  wear(node, "ink");
  assert.deepEqual(Object.fromEntries(node.attributes), { class: "ink", fill: "var(--ink)" });
});
