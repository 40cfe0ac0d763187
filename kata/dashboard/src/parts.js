// Small parts that every page uses.

import { Agent } from "./marks.js";
import { React, h, useState } from "./host.js";
import { linkTo } from "./route.js";
import { count, say, word } from "./words.js";

export const EFFECTS = ["read", "network_read", "local_write", "external", "unknown"];
export const ASKS = ["external", "unknown"];
const SHAPES = { read: "○", network_read: "◐", local_write: "■", external: "▲", unknown: "◆" };
const OUTCOMES = { succeeded: "✓", failed: "✗", blocked: "⊘", unknown: "◆", skipped: "–", "": "…" };

/** Join class names that are set. */
export function classes(...names) {
  return names.filter(Boolean).join(" ");
}

export function Button({ kind, busy, children, ...rest }) {
  return h(
    "button",
    { type: "button", className: classes("kata-button", kind && "kata-" + kind), "aria-busy": busy || undefined, ...rest },
    children,
  );
}

/** A link that looks like a button. */
export function Go({ place, kind, children, ...rest }) {
  return h("a", { className: classes("kata-button", kind && "kata-" + kind), ...linkTo(place), ...rest }, children);
}

/** A side-effect class: its word, its shape, its colour; the word is enough. */
export function Effect({ effect, step, title }) {
  const said = step ? say("effect.of_step", { step, what: say("effect.says." + effect) }) : undefined;
  return h(
    "span",
    { className: "kata-badge kata-effect-" + effect, title: title || say("effect.says." + effect) },
    h("span", { "aria-hidden": true, className: "kata-shape" }, SHAPES[effect] || SHAPES.unknown),
    word("effect", effect),
    said && h("span", { className: "kata-unseen" }, " – " + said),
  );
}

export function EffectRow({ effects }) {
  return h("span", { className: "kata-row-tight" }, ...effects.map((effect) => h(Effect, { key: effect, effect })));
}

/** "2 read, 1 external". */
export function effectCounts(counts) {
  return counts.map(([effect, number]) => number + " " + word("effect", effect)).join(", ");
}

export function StateBadge({ state }) {
  return h("span", { className: "kata-badge kata-state-" + state }, word("state", state));
}

export function Outcome({ outcome }) {
  const name = outcome || "running";
  return h(
    "span",
    { className: "kata-badge kata-outcome-" + name },
    h("span", { "aria-hidden": true, className: "kata-shape" }, OUTCOMES[outcome || ""] || "…"),
    word("outcome", name),
  );
}

/** Who it was, and where. */
export function actorText(actor) {
  return say("actor.at", { who: actor.id, where: word("surface", actor.surface) });
}

/** "search_files → terminal ×2": the tools of a kata in one line. */
export function stepsText(steps) {
  const runs = [];
  steps.forEach((step) => {
    const names = step.body ? [step.body.map((inner) => inner.tool).join(" → ") + " ×n"] : [step.tool];
    names.forEach((name) => {
      const last = runs[runs.length - 1];
      if (last && last.name === name) last.times += 1;
      else runs.push({ name, times: 1 });
    });
  });
  return runs.map((run) => run.name + (run.times > 1 ? " ×" + run.times : "")).join(" → ");
}

/** A value as JSON, on one line and not too long. */
export function brief(value, longest = 120) {
  const told = typeof value === "string" ? value : JSON.stringify(value);
  if (told === undefined) return "";
  return told.length > longest ? told.slice(0, longest - 1) + "…" : told;
}

export function Json({ value }) {
  return h("pre", { className: "kata-json", tabIndex: 0 }, h(Agent, { text: JSON.stringify(value, null, 2) }));
}

/** Copy a text; says so for a moment. */
export function Copy({ text, children, kind = "quiet" }) {
  const [done, setDone] = useState(false);
  async function copy() {
    setDone(await toClipboard(text));
    window.setTimeout(() => setDone(false), 2000);
  }
  return h(Button, { kind, onClick: copy }, done ? say("copied") : children, h("span", { className: "kata-unseen", role: "status" }, done ? say("copied") : ""));
}

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a secure context there is no clipboard: a prompt shows the text, selected.
    window.prompt(say("copy.by_hand"), text);
    return false;
  }
}

export function copyLink() {
  return h(Copy, { text: window.location.href }, say("copy.link"));
}

/** A heading with a section below it. */
export function Section({ title, aside, id, children }) {
  return h(
    "section",
    { className: "kata-section", "aria-labelledby": id },
    h("div", { className: "kata-section-head" }, h("h2", { id }, title), aside),
    children,
  );
}

export function Note({ kind = "plain", role, title, children }) {
  return h(
    "div",
    { className: "kata-note kata-note-" + kind, role },
    title && h("strong", { className: "kata-note-title" }, title),
    children,
  );
}

/** Rows that are waiting: nothing moves until one asks for them. */
export function Waiting({ number, onShow }) {
  return h(
    "div",
    { className: "kata-waiting", role: "status" },
    number > 0 && h(Button, { kind: "primary", onClick: onShow }, say("news", { count: count("event", number) })),
  );
}

export function Loading() {
  return h("p", { className: "kata-loading", role: "status" }, say("loading"));
}

/** A fault in drawing stays inside the tab. */
export function makeBoundary() {
  return class Boundary extends React.Component {
    constructor(properties) {
      super(properties);
      this.state = { error: null };
    }

    static getDerivedStateFromError(error) {
      return { error };
    }

    render() {
      if (!this.state.error) return this.props.children;
      return h(
        "div",
        { className: "kata" },
        h(
          Note,
          { kind: "bad", role: "alert", title: say("broken.title") },
          h("p", null, say("broken.text")),
          h("pre", { className: "kata-json" }, String(this.state.error)),
          h(Button, { onClick: () => this.setState({ error: null }) }, say("again")),
        ),
      );
    }
  };
}
