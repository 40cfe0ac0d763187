// What went wrong, in words, with what to do about it (every kind of failure has all three).

import { Agent } from "./marks.js";
import { h } from "./host.js";
import { Button, Copy, Note, actorText } from "./parts.js";
import { has, say } from "./words.js";

const RESTART = "hermes dashboard";

/** A card for an error of the API. */
export function Failure({ error, onRetry }) {
  const kind = has("fail." + error.kind) ? error.kind : "fault";
  const alert = kind === "session" || kind === "refused" ? "alert" : "status";
  return h(
    Note,
    { kind: "bad", role: alert, title: say("fail." + kind) },
    h("p", null, h(Agent, { text: error.code ? error.message : say("fail." + kind + ".text") })),
    error.hint && h("p", null, h(Agent, { text: error.hint })),
    h(Changed, { error }),
    h("div", { className: "kata-row" }, ...actions(kind, onRetry)),
  );
}

function actions(kind, onRetry) {
  if (kind === "session") return [h(Button, { key: 1, kind: "primary", onClick: () => window.location.reload() }, say("reload"))];
  const found = [];
  if (kind === "missing" || kind === "strange") found.push(h(Copy, { key: 1, text: RESTART }, say("copy.command", { command: RESTART })));
  if (onRetry) found.push(h(Button, { key: 2, onClick: onRetry }, say("again")));
  return found;
}

/** The lines that changed while one was reading, or the checks that fail. */
function Changed({ error }) {
  const told = error.told;
  const lines = told.changed || [];
  const checks = (told.checks || []).map((check) => check.name + ": " + check.detail);
  const problems = (told.problems || []).map((one) => one.where + ": " + one.message);
  const all = [...lines, ...checks, ...problems];
  if (!all.length) return null;
  return h("ul", { className: "kata-changes" }, ...all.map((line, index) => h("li", { key: index }, h(Agent, { text: line }))));
}

/** Somebody else decided first: who and what it is now. */
export function conflictText(error) {
  const told = error.told;
  return told.by ? say("conflict.by", { state: told.state, by: typeof told.by === "string" ? told.by : actorText(told.by) }) : error.message;
}
