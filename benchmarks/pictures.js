// Notes when keys are pressed and when the frame that shows a new picture is done, by
// performance.now().
() => {
  window.presses = [];
  window.pictures = [];
  let changed = false;
  const note = () => {
    changed = true;
  };
  // A message that is sent while a frame is prepared arrives when it has been drawn. However many
  // cells change in it, one frame is one picture.
  const drawn = new MessageChannel();
  drawn.port1.onmessage = () => {
    if (changed) window.pictures.push(performance.now());
    changed = false;
  };
  const eachFrame = () => {
    drawn.port2.postMessage(null);
    requestAnimationFrame(eachFrame);
  };
  requestAnimationFrame(eachFrame);
  document.addEventListener("keydown", () => window.presses.push(performance.now()), true);
  // Ours: the maps are painted on canvases, and the sentence or a text of the drawing says what is
  // new. A single press is followed by a glide, whose first frame is the picture that counts.
  const put = CanvasRenderingContext2D.prototype.putImageData;
  CanvasRenderingContext2D.prototype.putImageData = function (...given) {
    note();
    return put.apply(this, given);
  };
  const isText = (node) => node.closest?.(".drawing text, .drawing figcaption") != null;
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "characterData" || isText(target)) note();
      // Matplotlib's is a new image, and counts when it can be shown.
      for (const node of addedNodes)
        for (const image of node.querySelectorAll?.("img") ?? []) image.decode().then(note);
    }
  }).observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
  });
};
