// One kata: what it is and what one may do about it, above; plan, versions, runs, evidence and audit below.

import { get } from "./api.js";
import { AuditPage, Save } from "./audit.js";
import { Checks, Warnings } from "./decide.js";
import { EvidenceTab, baselineText } from "./evidence.js";
import { Failure } from "./failures.js";
import { h, useRef } from "./host.js";
import { useFresh } from "./live.js";
import { useKeys } from "./keys.js";
import { Agent } from "./marks.js";
import { Button, Copy, EffectRow, Loading, Note, StateBadge, Waiting, actorText, classes, copyLink } from "./parts.js";
import { PlanTab } from "./plan.js";
import { RunPage, RunsTab } from "./runs.js";
import { go, linkTo } from "./route.js";
import { Moment } from "./times.js";
import { VersionsTab } from "./versions.js";
import { count, say } from "./words.js";

const TABS = ["plan", "versions", "runs", "evidence", "audit"];

export function KataPage({ number, route, onDecide }) {
  const version = route.tab === "versions" ? undefined : route.version;
  const key = "kata " + number + " " + (version || "");
  const { data, error, loading, waiting, reload } = useFresh(key, async () => (await get("katas/" + encodeURIComponent(number), { version })).data);
  const ask = (verb, row, more) => onDecide(verb, row || data.row, more || { version: data.version, digest: data.digest });
  useKeys({
    a: () => data && verbs(data).includes("approve") && ask("approve"),
    r: () => data && verbs(data).includes("reject") && ask("reject"),
    d: () => data && go({ kata: number, tab: "versions" }),
  });
  if (!data) return loading ? h(Loading) : h(Failure, { error, onRetry: reload });
  const tab = TABS.includes(route.tab) ? route.tab : "plan";
  return h(
    "div",
    { className: "kata-page" },
    h(Head, { review: data }),
    h(Waiting, { number: waiting, onShow: reload }),
    error && h(Failure, { error, onRetry: reload }),
    h(Trouble, { row: data.row, changes: data.changes }),
    h(Warnings, { review: data }),
    h(Actions, { review: data, ask }),
    h(Tabs, { number, tab, review: data }),
    h(
      "div",
      { id: "kata-panel", role: "tabpanel", "aria-labelledby": "kata-tab-" + tab, className: "kata-still" },
      h(Panel, { tab, review: data, route, number, ask }),
    ),
  );
}

function Panel({ tab, review, route, number, ask }) {
  if (tab === "plan") return h("div", null, h(PlanTab, { key: review.digest, review }), h(Checks, { checks: review.checks }), h("p", { className: "kata-dim" }, baselineText(review.baseline)));
  if (tab === "versions") return h(VersionsTab, { review, route, onDecide: ask });
  if (tab === "evidence") return h(EvidenceTab, { review });
  if (tab === "audit") return h(AuditPage, { route, number });
  return route.run ? h(RunPage, { id: route.run, back: { kata: number, tab: "runs" } }) : h(RunsTab, { number, place: { kata: number, tab: "runs" } });
}

function Head({ review }) {
  const row = review.row;
  const scores = review.scores;
  return h(
    "div",
    { className: "kata-head" },
    h("a", { className: "kata-link", ...linkTo({}) }, "← ", say("nav.overview")),
    h("h2", null, h("span", { className: "kata-number" }, row.number), " ", h(Agent, { text: row.name }), " ", h(StateBadge, { state: row.deferred ? "deferred" : row.state }), " ", h(EffectRow, { effects: row.effects })),
    h("p", { className: "kata-dim" }, "v" + review.version, " · ", say("kata.digest"), " ", h("code", { title: review.digest }, review.digest.slice(0, 6)), " · ", say("kata.seen", { times: count("time", scores.occurrences), conversations: count("conversation", scores.support), days: count("day", review.days) }), " · ", say("confidence", { value: scores.confidence.toFixed(2) })),
    row.changed_by && h("p", { className: "kata-dim" }, say("kata.changed"), " ", h(Moment, { at: row.changed_at }), " – ", h(Agent, { text: actorText(row.changed_by), line: true })),
  );
}

/** Why it is stale or suspended, or what the version that waits changes. */
function Trouble({ row, changes }) {
  if (row.state === "stale" || row.state === "suspended") {
    return h(Note, { kind: row.state === "stale" ? "warn" : "bad", title: say("trouble." + row.state) }, h("p", null, h(Agent, { text: row.detail })), row.state === "suspended" && h("a", { className: "kata-link", ...linkTo({ kata: row.number, tab: "runs" }) }, say("overview.see_run")));
  }
  if (!row.pending_version || row.state === "candidate") return null;
  return h(Note, { kind: "warn", title: say("overview.revised", { version: row.pending_version }) }, h("ul", { className: "kata-changes" }, ...changes.map((line, index) => h("li", { key: index }, h(Agent, { text: line })))));
}

/** What a person may decide about a version in its state, the likeliest first. */
export function verbs(review) {
  const row = review.row;
  const waits = row.pending_version === review.version;
  if (row.state === "candidate") return row.deferred ? ["approve", "reject", "undo"] : ["approve", "reject"];
  const found = waits ? ["approve"] : [];
  if (["disabled", "suspended", "stale"].includes(row.state)) found.push("enable");
  if (["active", "stale", "suspended"].includes(row.state)) found.push("disable");
  if (row.state === "rejected") found.push("reconsider");
  return [...found, "undo"];
}

function Actions({ review, ask }) {
  const row = review.row;
  const may = verbs(review);
  return h(
    "div",
    { className: "kata-row kata-actions" },
    ...may.map((verb, index) => h(Button, { key: verb, kind: kindOf(verb, index), onClick: () => ask(verb) }, say("verb." + verb + (verb === "undo" || verb === "enable" || verb === "disable" || verb === "reconsider" ? "" : ".asks")))),
    h("span", { className: "kata-grow" }),
    h(Save, { path: "katas/" + row.number + "/export", query: { version: review.version }, name: "kata-" + row.name + "-v" + review.version + ".json", type: "application/json" }),
    copyLink(),
    h(Copy, { text: cliFor(row, review, may[0]) }, say("copy.cli")),
  );
}

function kindOf(verb, index) {
  if (verb === "undo") return "quiet";
  return index === 0 && verb !== "disable" ? "primary" : "";
}

function cliFor(row, review, verb) {
  if (verb === "approve") return "hermes kata approve " + row.number + "@" + review.digest.slice(0, 6) + " as " + row.name;
  return "hermes kata review " + row.number;
}

function Tabs({ number, tab, review }) {
  const list = useRef(null);
  function move(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = (TABS.indexOf(tab) + by + TABS.length) % TABS.length;
    go({ kata: number, tab: TABS[next] }, { replace: true });
    window.setTimeout(() => list.current && list.current.querySelector('[aria-selected="true"]').focus());
  }
  const counts = { versions: review.versions.length, runs: review.row.runs, evidence: review.evidence.length };
  return h(
    "div",
    { role: "tablist", className: "kata-tabs", ref: list, "aria-label": say("kata.tabs"), onKeyDown: move },
    ...TABS.map((one) =>
      h("a", { key: one, id: "kata-tab-" + one, role: "tab", "aria-selected": one === tab, "aria-controls": "kata-panel", tabIndex: one === tab ? 0 : -1, className: classes("kata-tab", one === tab && "kata-tab-on"), ...linkTo({ kata: number, tab: one }) }, say("tab." + one), counts[one] !== undefined && h("span", { className: "kata-count" }, counts[one])),
    ),
  );
}
