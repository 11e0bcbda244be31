// Notes when keys are pressed, when the first frame with the new numbers is done, and when the
// picture has arrived and glides no more, by performance.now().
() => {
  window.presses = [];
  window.pictures = [];
  window.arrivals = [];
  let changed = false;
  let onTheWay = false;
  const glides = () => document.querySelector(".drawing .moving") !== null;
  const note = () => {
    changed = true;
  };
  // A message that is sent while a frame is prepared arrives when it has been drawn. However many
  // cells change in it, one frame is one picture.
  const drawn = new MessageChannel();
  drawn.port1.onmessage = () => {
    const now = performance.now();
    if (changed) window.pictures.push(now);
    onTheWay ||= changed;
    changed = false;
    if (!onTheWay || glides()) return;
    window.arrivals.push(now);
    onTheWay = false;
  };
  const eachFrame = () => {
    drawn.port2.postMessage(null);
    requestAnimationFrame(eachFrame);
  };
  requestAnimationFrame(eachFrame);
  document.addEventListener("keydown", () => window.presses.push(performance.now()), true);
  // Ours: the sentence below the drawing has the numbers of the new state.
  const isCaption = (node) => node.closest?.(".drawing figcaption") != null;
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (isCaption(target)) note();
      // Matplotlib's is a new image, and counts when it can be shown.
      for (const node of addedNodes)
        for (const image of node.querySelectorAll?.("img") ?? []) image.decode().then(note);
    }
  }).observe(document.body, {
    subtree: true,
    childList: true,
  });
};
