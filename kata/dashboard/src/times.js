// Moments and spans for people.

import { h } from "./host.js";
import { safeTag, say } from "./words.js";

const STEPS = [[60, "seconds", 1], [3600, "minutes", 60], [86400, "hours", 3600], [Infinity, "days", 86400]];

/** "2 h ago"; a moment to come as its clock time. */
export function ago(moment, now = Date.now()) {
  const seconds = Math.round((now - new Date(moment).getTime()) / 1000);
  if (seconds < -60) return clock(moment);
  if (seconds < 10) return say("time.now");
  const [, unit, size] = STEPS.find(([limit]) => seconds < limit);
  return say("time." + unit, { count: Math.floor(seconds / size) });
}

/** The whole moment, in the person's own zone. */
export function whole(moment) {
  return new Date(moment).toLocaleString(safeTag(), { dateStyle: "medium", timeStyle: "medium" });
}

export function clock(moment) {
  const at = new Date(moment);
  const today = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(safeTag(), today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

export function day(moment) {
  return new Date(moment).toLocaleDateString(safeTag(), { weekday: "long", year: "numeric", month: "long", day: "numeric" });
}

/** "340 ms", "2.4 s", "3 min 5 s". */
export function span(ms) {
  if (ms === null || ms === undefined) return "–";
  if (ms < 1000) return say("span.ms", { count: Math.round(ms) });
  if (ms < 60000) return say("span.s", { count: (ms / 1000).toFixed(1) });
  return say("span.min", { minutes: Math.floor(ms / 60000), seconds: Math.round((ms % 60000) / 1000) });
}

/** A moment: short to read, whole for machines and on hover. */
export function Moment({ at, short = ago }) {
  if (!at) return h("span", null, say("time.never"));
  return h("time", { dateTime: at, title: whole(at) }, short(at));
}
