// A kernel that ends or is restarted is told where Jupyter says so, also in the middle of a
// training. Where it does not, the kernel is asked whenever the demo is used.
// On a page without a kernel (an export) nothing has ever answered, and nothing is missed.

const GONE =
  "The kernel behind this demo is gone. " +
  "Run its cell again (click into it, then Shift+Enter), after the cells above it.";
const ENDS = ["restarting", "autorestarting", "terminating", "dead"]; // what Jupyter calls it
const PATIENCE = 2000; // milliseconds; a kernel that is not busy answers in a few
const WIDGETS = "jupyter.widget"; // the kind of comm

/** Returns ask(event), to be called when the reader uses the demo. */
export function watchKernel(model, notice, signal) {
  let waiting = 0;
  let comm = null; // the demo's name in the kernel, once that has answered
  let hasEnded = false; // the next kernel does not know this demo

  function tell() {
    waiting = 0;
    if (comm) notice.textContent = GONE;
  }

  // Slow is not gone: the kernel is asked whether it knows the demo, and may take its time.
  function doubt() {
    const { kernel } = model.widget_manager ?? {};
    if (!comm || !kernel?.requestCommInfo) {
      tell();
      return;
    }
    const question = waiting;
    const judge = (comms) => {
      if (waiting !== question || signal.aborted) return; // the demo has answered meanwhile
      if (comm in comms) waiting = 0;
      else tell();
    };
    kernel.requestCommInfo({ target_name: WIDGETS }).then(
      ({ content }) => judge(content.comms),
      () => judge({}),
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

  model.on("msg:custom", (answer) => {
    if (answer.type !== "pong") return;
    comm = answer.comm;
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
