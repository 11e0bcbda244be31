// Stop is tried again while the kernel goes on, and never after it has ended.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { interrupt } from "./interrupt.mjs";

/** A model that runs until `end` is called, and how often its kernel was interrupted. */
function running() {
  const listeners = new Set();
  const count = { interrupts: 0 };
  const kernel = {
    interrupt: () => {
      count.interrupts += 1;
      return Promise.resolve();
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

test("an interrupt that is lost is sent again, and not for ever", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { model, count, listeners } = running();
  assert.equal(interrupt(model), true);
  mock.timers.tick(3000);
  assert.equal(count.interrupts, 2);
  for (let i = 0; i < 20; i++) mock.timers.tick(3000);
  assert.equal(count.interrupts, 3);
  assert.equal(listeners.size, 0);
  mock.timers.reset();
});

test("what has ended, and what is begun after it, is not interrupted", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { model, count, set } = running();
  interrupt(model);
  set(false);
  set(true);
  mock.timers.tick(60_000);
  assert.equal(count.interrupts, 1);
  mock.timers.reset();
});

test("a page that was closed asks nothing of its kernel", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { model, count, close, listeners } = running();
  interrupt(model);
  close();
  mock.timers.tick(60_000);
  assert.equal(count.interrupts, 1);
  assert.equal(listeners.size, 0);
  mock.timers.reset();
});

test("a page without a kernel says so", () => {
  assert.equal(interrupt({ widget_manager: undefined }), false);
});
