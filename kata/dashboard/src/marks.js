// Text that an agent made: shown as text, with a visible mark for each character that could deceive.

import { h } from "./host.js";

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const PLAIN = new Set(["\n", "\t"]);

/** Cut a text into pieces: strings, and marks as `{ mark }`. */
export function pieces(text) {
  const found = [];
  let run = "";
  for (const char of String(text)) {
    if (!HIDDEN.test(char) || PLAIN.has(char)) {
      run += char;
      continue;
    }
    if (run) found.push(run);
    run = "";
    found.push({ mark: "⟦U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "⟧" });
  }
  if (run) found.push(run);
  return found;
}

/** The text with its marks, as one string. */
export function marked(text) {
  return pieces(text).map((one) => one.mark || one).join("");
}

/** On one line: a newline becomes a sign. */
export function oneLine(text) {
  return String(text).replace(/\r?\n/g, " ⏎ ").replace(/\t/g, " ");
}

/** An agent's text as an element. */
export function Agent({ text, line }) {
  const shown = line ? oneLine(text) : text;
  return h(
    "bdi",
    null,
    ...pieces(shown).map((one, index) => (one.mark ? h("span", { key: index, className: "kata-mark" }, one.mark) : one)),
  );
}
