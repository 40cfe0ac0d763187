// A dialog: the browser's own, so that focus stays inside, Esc closes, and the rest of the page is inert.

import { h, useEffect, useRef } from "./host.js";
import { Button } from "./parts.js";
import { say } from "./words.js";

export function Dialog({ title, onClose, actions, children, wide, leave }) {
  const dialog = useRef(null);
  const cancel = useRef(null);
  useEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    if (shown.showModal && !shown.open) shown.showModal();
    else shown.setAttribute("open", "");
    cancel.current.focus();
    return () => before && before.isConnected && before.focus && before.focus();
  }, []);
  return h(
    "dialog",
    {
      ref: dialog,
      className: "kata-dialog" + (wide ? " kata-dialog-wide" : ""),
      "aria-labelledby": "kata-dialog-title",
      onCancel: (event) => {
        event.preventDefault();
        onClose();
      },
    },
    h("h2", { id: "kata-dialog-title" }, title),
    h("div", { className: "kata-dialog-body" }, children),
    h(
      "div",
      { className: "kata-dialog-foot" },
      h("button", { type: "button", ref: cancel, className: "kata-button", onClick: onClose }, leave || say("cancel")),
      actions,
    ),
  );
}

/** A field with its label, a hint and what is wrong with it. */
export function Field({ id, label, hint, problem, children }) {
  return h(
    "div",
    { className: "kata-field" },
    h("label", { htmlFor: id }, label),
    children,
    hint && h("p", { id: id + "-hint", className: "kata-hint" }, hint),
    h("p", { id: id + "-problem", className: "kata-problem", role: "status" }, problem || ""),
  );
}

export function NoteField({ value, onChange, asked }) {
  return h(
    Field,
    { id: "kata-note", label: say(asked ? "note.asked" : "note.label"), hint: say("note.hint") },
    h("input", {
      id: "kata-note",
      className: "kata-input",
      value,
      maxLength: 2000,
      "aria-describedby": "kata-note-hint",
      onChange: (event) => onChange(event.target.value),
    }),
  );
}

/** A question with one answer besides Cancel. */
export function Question({ title, answer, kind = "primary", busy, failure, onAnswer, onClose, children }) {
  return h(
    Dialog,
    { title, onClose, actions: h(Button, { kind, busy, disabled: busy, onClick: onAnswer }, answer) },
    children,
    failure,
  );
}
