// Stop is tried again while the kernel goes on, and never after it has ended.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setImmediate as whatWaits } from "node:timers/promises";
import { interrupt } from "./interrupt.mjs";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** Let a time pass in steps of a second. */
async function pass(seconds) {
  for (let i = 0; i < seconds; i++) {
    await whatWaits();
    mock.timers.tick(1000);
  }
  await whatWaits();
}

/** A model that runs until `set(false)`, and how often its kernel was interrupted. */
function running(answer = Promise.resolve()) {
  const listeners = new Set();
  const count = { interrupts: 0 };
  const kernel = {
    interrupt: () => {
      count.interrupts += 1;
      return answer;
    },
  };
  let isRunning = true;
  const model = {
    widget_manager: { kernel },
    get: () => isRunning,
    on: (_, act) => listeners.add(act),
    off: (_, act) => listeners.delete(act),
  };
  const close = () => {
    kernel.isDisposed = true;
  };
  const set = (value) => {
    isRunning = value;
    for (const act of [...listeners]) act();
  };
  return { model, count, set, close, listeners };
}

test("an interrupt that is lost is sent again, and not for ever", async () => {
  const { model, count, listeners } = running();
  assert.equal(interrupt(model), true);
  await pass(3);
  assert.equal(count.interrupts, 2);
  await pass(60);
  assert.equal(count.interrupts, 3);
  assert.equal(listeners.size, 0);
});

test("nothing is sent again before a busy server has answered", async () => {
  let resolve;
  const promise = new Promise((answer) => {
    resolve = answer;
  });
  const { model, count } = running(promise);
  interrupt(model);
  await pass(60);
  assert.equal(count.interrupts, 1);
  resolve();
  await pass(3);
  assert.equal(count.interrupts, 2);
});

test("what has ended, and what is begun after it, is not interrupted", async () => {
  const { model, count, set } = running();
  interrupt(model);
  set(false);
  set(true);
  await pass(60);
  assert.equal(count.interrupts, 1);
});

test("a page that was closed asks nothing of its kernel", async () => {
  const { model, count, close, listeners } = running();
  interrupt(model);
  close();
  await pass(60);
  assert.equal(count.interrupts, 1);
  assert.equal(listeners.size, 0);
});

test("a page without a kernel says so", () => {
  assert.equal(interrupt({ widget_manager: undefined }), false);
});
