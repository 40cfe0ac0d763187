// The keyboard: single keys that can be turned off, and that never act at once on anything that decides.

import { useEffect, useState } from "./host.js";

const SETTING = "kata.keys";
export const SHORTCUTS = [["j", "next"], ["k", "previous"], ["Enter", "open"], ["a", "approve"], ["r", "reject"], ["d", "diff"], ["/", "filter"], ["?", "help"], ["Esc", "back"]];

export function keysAreOn() {
  try {
    return window.localStorage.getItem(SETTING) !== "off";
  } catch {
    return true;
  }
}

export function turnKeys(on) {
  try {
    window.localStorage.setItem(SETTING, on ? "on" : "off");
  } catch {
    // Without storage they stay as they are until the page is loaded anew.
  }
}

function isTyping(target) {
  return target.closest && target.closest("input, textarea, select, [contenteditable], dialog");
}

/** Call what a key is bound to; `bound` maps keys to functions. */
export function useKeys(bound) {
  useEffect(() => {
    const press = (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const act = bound[event.key];
      if (!act || (event.key !== "Escape" && !keysAreOn())) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}

/** Move the focus among the items of the page. */
export function step(by) {
  const items = [...document.querySelectorAll(".kata [data-item]")];
  const at = items.indexOf(document.activeElement);
  const next = items[Math.max(0, Math.min(items.length - 1, at < 0 ? 0 : at + by))];
  if (next) next.focus();
}

/** Whether single keys are on, and how to turn them. */
export function useKeysSetting() {
  const [on, setOn] = useState(keysAreOn);
  return [
    on,
    (wanted) => {
      turnKeys(wanted);
      setOn(wanted);
    },
  ];
}
