// Stop what the kernel computes for a demo. A busy kernel reads no messages, so it is interrupted,
// as Jupyter's own stop button does it.

const PATIENCE = 3000; // milliseconds
const TRIES = 3;

/**
 * Interrupt the model's kernel, and again while the model still runs: an interrupt that comes while
 * Python tidies its memory is printed there and forgotten. Each waits for the answer to the one
 * before: two that a busy server hands on together would also stop what Python says at the end.
 * False where no kernel can be reached.
 */
export function interrupt(model) {
  const kernel = model.widget_manager?.kernel;
  const answer = kernel?.interrupt();
  if (!answer) return false;
  askAgain(model, kernel, answer);
  return true;
}

async function askAgain(model, kernel, answer) {
  let hasEnded = false;
  const look = () => {
    hasEnded ||= !model.get("running");
  };
  model.on("change:running", look);
  try {
    for (let tries = 1; tries < TRIES; tries++) {
      await answer;
      await new Promise((pass) => setTimeout(pass, PATIENCE));
      if (hasEnded || kernel.isDisposed) return; // disposed: the page was closed meanwhile
      answer = kernel.interrupt();
    }
  } finally {
    model.off("change:running", look);
  }
}
