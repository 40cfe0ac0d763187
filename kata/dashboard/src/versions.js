// The versions of a kata, and what differs between two of them; signs and words carry it, not colour alone.

import { get } from "./api.js";
import { Failure } from "./failures.js";
import { h } from "./host.js";
import { useFresh } from "./live.js";
import { Agent } from "./marks.js";
import { Button, Effect, Loading, Section, classes, effectCounts } from "./parts.js";
import { go, linkTo } from "./route.js";
import { Moment, whole } from "./times.js";
import { count, say, word } from "./words.js";

const SIGNS = { added: "+", removed: "−", changed: "±", same: " " };

export function VersionsTab({ review, route, onDecide }) {
  const row = review.row;
  const versions = [...review.versions].reverse();
  const to = Number(route.version) || (row.pending_version || row.version);
  const from = Number(route.from) || earlier(review.versions, to);
  return h(
    "div",
    { className: "kata-page" },
    h(Section, { title: say("versions.title"), id: "kata-versions" }, h("ol", { className: "kata-list", reversed: true }, ...versions.map((one) => h(VersionLine, { key: one.version, one, row, shown: one.version === to, onDecide })))),
    versions.length > 1 ? h(Diff, { row, from, to, versions }) : h("p", { className: "kata-quiet-line" }, say("versions.only")),
  );
}

function earlier(versions, to) {
  const active = versions.find((one) => one.active && one.version !== to);
  return active ? active.version : Math.max(1, to - 1);
}

function VersionLine({ one, row, shown, onDecide }) {
  const may = one.approved && one.version !== row.version && ["active", "stale", "suspended", "disabled"].includes(row.state);
  const badge = one.active ? "active" : one.version === row.pending_version ? "waits" : one.approved ? "approved" : "";
  return h(
    "li",
    { className: classes("kata-line kata-version", shown && "kata-shown") },
    h("a", { className: "kata-name", "data-item": true, ...linkTo({ kata: row.number, tab: "versions", version: one.version }) }, "v" + one.version),
    badge && h("span", { className: "kata-badge kata-version-" + badge }, say("version." + badge)),
    h("span", { className: "kata-cell" }, word("cause", one.cause), one.changes.length > 0 && h("span", null, ": ", h(Agent, { text: one.changes.join("; "), line: true }))),
    h("code", { className: "kata-dim" }, one.digest.slice(0, 6)),
    h(Moment, { at: one.at, short: whole }),
    may && h(Button, { onClick: () => onDecide("rollback", row, { version: one.version }) }, say("versions.preview")),
  );
}

function Diff({ row, from, to, versions }) {
  const { data, error, loading, reload } = useFresh("diff " + row.number + " " + from + " " + to, async () => (await get("katas/" + row.number + "/diff", { from, to })).data);
  const choose = (key) => (event) => go({ kata: row.number, tab: "versions", from, version: to, [key]: event.target.value });
  const select = (key, value, label) => h("select", { className: "kata-input kata-short", value, "aria-label": label, onChange: choose(key) }, ...versions.map((one) => h("option", { key: one.version, value: one.version }, "v" + one.version)));
  return h(
    Section,
    { title: say("diff.title"), id: "kata-diff", aside: h("div", { className: "kata-row-tight" }, select("from", from, say("diff.from")), h("span", { "aria-hidden": true }, "→"), select("version", to, say("diff.to"))) },
    data ? h(DiffView, { diff: data }) : loading ? h(Loading) : h(Failure, { error, onRetry: reload }),
  );
}

export function DiffView({ diff }) {
  const same = diff.inputs.length === 0 && diff.steps.every((step) => step.kind === "same");
  const unchanged = diff.steps.filter((step) => step.kind === "same").length;
  return h(
    "div",
    { className: "kata-diff" },
    h("p", { className: "kata-dim" }, say("diff.effects", { before: effectCounts(diff.effects_before), after: effectCounts(diff.effects_after) })),
    same && h("p", null, say("diff.same")),
    h("ol", { className: "kata-steps-list" }, ...diff.steps.filter((step) => step.kind !== "same").map((step, index) => h(StepDiff, { key: index, step }))),
    unchanged > 0 && !same && h("p", { className: "kata-dim" }, say("diff.unchanged", { steps: count("step", unchanged) })),
    diff.inputs.length > 0 && h("h3", null, say("diff.inputs")),
    h("ul", { className: "kata-bullets" }, ...diff.inputs.map((one) => h("li", { key: one.path }, h(Change, { one })))),
  );
}

function StepDiff({ step }) {
  const place = [step.before, step.after].filter((one) => one !== null);
  const number = place.length === 2 && place[0] !== place[1] ? place.join(" → ") : String(place[place.length - 1]);
  return h(
    "li",
    { className: "kata-step kata-diff-" + step.kind },
    h(
      "div",
      { className: "kata-row" },
      h("span", { className: "kata-sign", "aria-hidden": true }, SIGNS[step.kind]),
      h("span", null, say("diff.step." + step.kind, { number })),
      h("span", { className: "kata-tool" }, h(Agent, { text: step.tool })),
      h(Effects, { step }),
    ),
    h("ul", { className: "kata-extras" }, ...step.changes.map((one) => h("li", { key: one.path }, h(Change, { one })))),
  );
}

function Effects({ step }) {
  const before = step.effect_before && h(Effect, { effect: step.effect_before });
  const after = step.effect_after && h(Effect, { effect: step.effect_after });
  if (!before || !after || step.effect_before === step.effect_after) return after || before;
  return h("span", { className: "kata-row-tight" }, before, h("span", { "aria-hidden": true }, "→"), h("span", { className: "kata-unseen" }, say("diff.becomes")), after);
}

/** One argument: what it was and what it is; read aloud as "changed from … to …". */
function Change({ one }) {
  return h(
    "span",
    null,
    h("span", { className: "kata-path" }, h(Agent, { text: one.path })),
    one.before && h("del", null, h("span", { "aria-hidden": true, className: "kata-sign" }, "− "), h("span", { className: "kata-unseen" }, say("diff.was") + " "), h("code", { className: "kata-code" }, h(Agent, { text: one.before, line: true }))),
    one.after && h("ins", null, h("span", { "aria-hidden": true, className: "kata-sign" }, "+ "), h("span", { className: "kata-unseen" }, say("diff.is") + " "), h("code", { className: "kata-code" }, h(Agent, { text: one.after, line: true }))),
  );
}
