// Stop what the kernel computes for a demo. A busy kernel reads no messages, so it is interrupted,
// as Jupyter's own stop button does it.

const PATIENCE = 3000; // milliseconds
const TRIES = 3;

/**
 * Interrupt the model's kernel, and again while the model still runs: an interrupt that comes while
 * Python tidies its memory is printed there and forgotten. False where no kernel can be reached.
 */
export function interrupt(model) {
  const kernel = model.widget_manager?.kernel;
  if (!kernel?.interrupt()) return false;
  let tries = 1;
  let timer = setTimeout(again, PATIENCE);
  function again() {
    if (kernel.isDisposed) return forget(); // the page was closed meanwhile
    tries += 1;
    kernel.interrupt();
    if (tries < TRIES) timer = setTimeout(again, PATIENCE);
    else forget();
  }
  const ended = () => model.get("running") || forget();
  function forget() {
    clearTimeout(timer);
    model.off("change:running", ended);
  }
  model.on("change:running", ended);
  return true;
}
