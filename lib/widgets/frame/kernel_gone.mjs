// A kernel that ends or is restarted is told where Jupyter says so, also in the middle of a
// training. Where it does not, the kernel is asked whenever the demo is used.
// On a page without a kernel (an export) nothing has ever answered, and nothing is missed.

const GONE =
  "The kernel behind this demo is gone. " +
  "Run its cell again (click into it, then Shift+Enter), after the cells above it.";
const ENDS = ["restarting", "autorestarting", "terminating", "dead"]; // what Jupyter calls it
const PATIENCE = 2000; // milliseconds; a kernel that is not busy answers in a few

/** Returns ask(event), to be called when the reader uses the demo. */
export function watchKernel(model, notice, signal) {
  let waiting = 0;
  let hasAnswered = false;
  let hasEnded = false; // the next kernel does not know this demo

  function tell() {
    waiting = 0;
    if (hasAnswered) notice.textContent = GONE;
  }

  function doubt() {
    const { kernel } = model.widget_manager ?? {};
    const question = waiting; // answered, it is another one
    const ifOpen = (act) => () => {
      if (waiting === question && !signal.aborted) act();
    };
    const askAgain = (next) => (waiting = setTimeout(next, PATIENCE));
    if (kernel?.status === "busy") askAgain(doubt);
    else if (!kernel?.requestKernelInfo) tell();
    // A slow machine is no kernel that is gone. One that answers this, and still not the demo,
    // does not know the demo.
    else
      kernel.requestKernelInfo().then(
        ifOpen(() => askAgain(tell)),
        ifOpen(tell),
      );
  }

  function ping() {
    try {
      model.send({ type: "ping" });
      waiting = setTimeout(doubt, PATIENCE);
    } catch {
      doubt(); // Jupyter knows it already
    }
  }

  function ask(event) {
    notice.textContent = hasEnded ? GONE : "";
    if (!hasEnded && !waiting && !event.repeat) ping();
  }

  model.on("msg:custom", ({ type }) => {
    if (type !== "pong") return;
    hasAnswered = true;
    clearTimeout(waiting);
    waiting = 0;
    if (notice.textContent === GONE) notice.textContent = "";
  });
  const { statusChanged } = model.widget_manager?.kernel ?? {};
  function follow(_kernel, status) {
    if (!ENDS.includes(status)) return;
    hasEnded = true;
    notice.textContent = GONE;
  }
  statusChanged?.connect(follow);
  signal.addEventListener("abort", () => {
    clearTimeout(waiting);
    statusChanged?.disconnect(follow);
  });
  ping();
  return ask;
}
