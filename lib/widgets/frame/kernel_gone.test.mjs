// A kernel that is gone is told; a page that never had one says nothing.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { watchKernel } from "./kernel_gone.mjs";

const PATIENCE = 2000;
const PONG = { type: "pong", comm: "this demo" };

/** A model whose kernel answers while `alive`, and the notice of its demo. */
function opened(alive) {
  const kernel = { alive };
  let hear = null;
  const model = {
    on: (_, listener) => {
      hear = listener;
    },
    send: () => {
      if (kernel.alive) setTimeout(() => hear(PONG), 1);
    },
  };
  const notice = { textContent: "" };
  const ask = watchKernel(model, notice, new AbortController().signal);
  return { kernel, notice, ask };
}

test("a page without a kernel never says that it is gone", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { notice, ask } = opened(false);
  for (let use = 0; use < 3; use++) {
    ask({ repeat: false });
    mock.timers.tick(PATIENCE);
    assert.equal(notice.textContent, "");
  }
  mock.timers.reset();
});

test("a kernel that ends is told at once, also while it is busy", () => {
  const notice = { textContent: "" };
  const listeners = new Set();
  const statusChanged = {
    connect: (listener) => listeners.add(listener),
    disconnect: (listener) => listeners.delete(listener),
  };
  const kernel = { status: "busy", statusChanged };
  const leaving = new AbortController();
  const model = { on() {}, send() {}, widget_manager: { kernel } };
  watchKernel(model, notice, leaving.signal);
  function say(status) {
    for (const listen of listeners) listen(kernel, status);
  }
  say("busy");
  assert.equal(notice.textContent, "");
  say("autorestarting");
  assert.match(notice.textContent, /kernel behind this demo is gone/);
  leaving.abort();
  assert.equal(listeners.size, 0);
});

test("a kernel that has answered and answers no more is told, until it answers again", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { kernel, notice, ask } = opened(true);
  mock.timers.tick(1);
  kernel.alive = false;
  ask({ repeat: false });
  mock.timers.tick(PATIENCE);
  assert.match(notice.textContent, /kernel behind this demo is gone/);
  kernel.alive = true;
  ask({ repeat: false });
  assert.equal(notice.textContent, "");
  mock.timers.tick(PATIENCE);
  assert.equal(notice.textContent, "");
  mock.timers.reset();
});

test("a kernel that is slow is not gone, one that does not know the demo is", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let answer = null;
  const requestCommInfo = () => new Promise((resolve) => (answer = resolve));
  let hear = null;
  const model = {
    on: (_, listener) => (hear = listener),
    send() {},
    widget_manager: { kernel: { status: "idle", requestCommInfo } },
  };
  const notice = { textContent: "" };
  const ask = watchKernel(model, notice, new AbortController().signal);
  hear(PONG);
  async function use(...known) {
    ask({ repeat: false });
    mock.timers.tick(PATIENCE * 5);
    assert.equal(notice.textContent, "", "as long as nothing is answered");
    answer({ content: { comms: Object.fromEntries(known.map((name) => [name, {}])) } });
    await new Promise(setImmediate);
  }
  await use("another demo", "this demo");
  assert.equal(notice.textContent, "");
  await use("another demo");
  assert.match(notice.textContent, /kernel behind this demo is gone/);
  mock.timers.reset();
});
