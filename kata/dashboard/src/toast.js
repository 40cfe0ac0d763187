// What was just done, for ten seconds, with a way back.

import { h, useEffect, useState } from "./host.js";
import { Button } from "./parts.js";
import { say } from "./words.js";

const SHOWN_MS = 10000;
let tell = () => {};
let number = 0;

/** Show a message; `undo` is called when the person takes it back. */
export function toast(message, undo) {
  tell({ message, undo, id: ++number });
}

export function Toasts() {
  const [shown, setShown] = useState(null);
  useEffect(() => {
    tell = setShown;
    return () => {
      tell = () => {};
    };
  }, []);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = window.setTimeout(() => setShown(null), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [shown]);
  function back() {
    setShown(null);
    shown.undo();
  }
  return h(
    "div",
    { className: "kata-toasts", role: "status", "aria-live": "polite" },
    shown &&
      h(
        "div",
        { className: "kata-toast", key: shown.id },
        h("span", null, shown.message),
        shown.undo && h(Button, { kind: "quiet", onClick: back }, say("verb.undo")),
        h(Button, { kind: "quiet", "aria-label": say("close"), onClick: () => setShown(null) }, "×"),
      ),
  );
}
