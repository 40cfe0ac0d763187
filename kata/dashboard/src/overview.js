// The first page: what needs the person, then what is well, in one line each.

import { get, post } from "./api.js";
import { Failure } from "./failures.js";
import { h, useEffect, useState } from "./host.js";
import { useFresh } from "./live.js";
import { Agent } from "./marks.js";
import { Button, EffectRow, Go, Loading, Note, Outcome, Section, StateBadge, Waiting, actorText, stepsText } from "./parts.js";
import { linkTo } from "./route.js";
import { Moment, clock } from "./times.js";
import { count, say, word } from "./words.js";

const TOLD = 3;

export function OverviewPage({ onDecide }) {
  const { data, error, loading, waiting, reload } = useFresh("overview", async () => (await get("overview")).data);
  if (!data) return loading ? h(Loading) : h(Failure, { error, onRetry: reload });
  const empty = !data.needs_you.length && !data.active.length && !data.set_aside.length;
  return h(
    "div",
    { className: "kata-page" },
    error && h(Failure, { error, onRetry: reload }),
    h(Announcements, { news: data.announcements, onDecide }),
    h(Recording, { recording: data.recording, reload }),
    h(Waiting, { number: waiting, onShow: reload }),
    empty ? h(FirstDay, { data }) : h(Needs, { rows: data.needs_you, quiet: quietText(data) }),
    data.active.length > 0 && h(Active, { rows: data.active }),
    data.set_aside.length > 0 && h(Aside, { rows: data.set_aside, onDecide }),
    data.seen > 0 && h("p", { className: "kata-quiet-line" }, say("seen.line", { sequences: count("sequence", data.seen) }), " ", h("a", { className: "kata-link", ...linkTo({ view: "seen" }) }, say("seen.why"))),
  );
}

function quietText(data) {
  const last = data.active.map((row) => row.last_run_at).filter(Boolean).sort().pop();
  return h("p", null, say("overview.nothing", { active: data.active.length }), last && h("span", null, " ", say("overview.last_run"), " ", h(Moment, { at: last }), "."));
}

function Needs({ rows, quiet }) {
  return h(
    Section,
    { title: say("overview.needs", { count: rows.length }), id: "kata-needs" },
    rows.length ? h("ol", { className: "kata-cards kata-still" }, ...rows.map((row) => h(Card, { key: row.number, row }))) : quiet,
  );
}

function Card({ row }) {
  const revised = row.pending_version && row.state !== "candidate";
  return h(
    "li",
    { className: "kata-card" },
    h(
      "div",
      { className: "kata-card-main" },
      h(
        "div",
        { className: "kata-row" },
        h("a", { className: "kata-name", "data-item": true, ...linkTo({ kata: row.number }) }, h("span", { className: "kata-number" }, row.number), " ", h(Agent, { text: row.name })),
        h(StateBadge, { state: row.state }),
        revised && h("span", { className: "kata-badge kata-state-candidate" }, say("overview.revised", { version: row.pending_version })),
        h(EffectRow, { effects: row.effects }),
      ),
      h("p", { className: "kata-steps" }, h(Agent, { text: stepsText(row.steps), line: true })),
      h(CardWhy, { row }),
    ),
    h(Go, { place: cardPlace(row), kind: row.state === "candidate" ? "primary" : "" }, say(cardVerb(row))),
  );
}

function CardWhy({ row }) {
  if (row.state === "candidate") {
    return h("p", { className: "kata-dim" }, count("conversation", row.support), " · ", say("overview.proposed"), " ", h(Moment, { at: row.changed_at }));
  }
  return h("p", { className: row.state === "suspended" ? "kata-bad-text" : "kata-warn-text" }, h(Agent, { text: row.detail || say("overview.waits"), line: true }));
}

function cardVerb(row) {
  if (row.state === "stale") return "overview.see_change";
  return row.state === "suspended" ? "overview.see_run" : "verb.review";
}

function cardPlace(row) {
  if (row.state === "suspended") return { kata: row.number, tab: "runs" };
  return row.state === "stale" && row.pending_version ? { kata: row.number, tab: "versions" } : { kata: row.number };
}

function Active({ rows }) {
  return h(
    Section,
    { title: say("overview.active", { count: rows.length }), id: "kata-active" },
    h(
      "ul",
      { className: "kata-list kata-columns kata-still" },
      ...rows.map((row) =>
        h(
          "li",
          { key: row.number, className: "kata-line" },
          h("a", { className: "kata-name", "data-item": true, ...linkTo({ kata: row.number }) }, h("span", { className: "kata-number" }, row.number), " ", h(Agent, { text: row.name })),
          h("span", { className: "kata-cell" }, runsText(row)),
          h("span", { className: "kata-cell" }, row.last_run_at ? h("span", { className: "kata-row-tight" }, h(Outcome, { outcome: row.last_run_outcome }), h(Moment, { at: row.last_run_at })) : h("span", { className: "kata-dim" }, say("runs.none"))),
          h(EffectRow, { effects: row.effects }),
        ),
      ),
    ),
  );
}

function runsText(row) {
  if (!row.runs) return "";
  return row.failures ? say("overview.runs_failed", { runs: count("run", row.runs), failed: row.failures }) : count("run", row.runs);
}

function Aside({ rows, onDecide }) {
  return h(
    "details",
    { className: "kata-section kata-aside" },
    h("summary", { "data-item": true }, h("h2", null, say("overview.aside", { count: rows.length }))),
    h(
      "ul",
      { className: "kata-list kata-still" },
      ...rows.map((row) =>
        h(
          "li",
          { key: row.number, className: "kata-line" },
          h("a", { className: "kata-name", ...linkTo({ kata: row.number }) }, h("span", { className: "kata-number" }, row.number), " ", h(Agent, { text: row.name })),
          h(StateBadge, { state: row.deferred ? "deferred" : row.state }),
          h("span", { className: "kata-cell kata-dim" }, h(Moment, { at: row.changed_at })),
          h(Button, { onClick: () => onDecide(asideVerb(row), row) }, say("verb." + asideVerb(row))),
        ),
      ),
    ),
  );
}

function asideVerb(row) {
  if (row.deferred) return "undo";
  return row.state === "rejected" ? "reconsider" : "enable";
}

function FirstDay({ data }) {
  const recording = data.recording;
  return h(
    Note,
    { kind: "plain", title: say("first.title") },
    h("p", null, say("first.text", { support: data.min_support, calls: count("call", recording.calls), conversations: count("conversation", recording.conversations) })),
    h("p", null, say("first.demo"), " ", h("code", null, "python scripts/demo.py")),
  );
}

/** Only what is wrong or unusual about the recording; the header has the rest. */
function Recording({ recording, reload }) {
  const [error, setError] = useState(null);
  async function resume() {
    try {
      await post("resume", {});
      reload();
    } catch (failed) {
      setError(failed);
    }
  }
  return h(
    "div",
    null,
    !recording.recording &&
      h(
        Note,
        { kind: "warn", role: "status", title: recording.paused_until ? say("recording.until", { until: clock(recording.paused_until) }) : say("recording.paused") },
        h("div", { className: "kata-row" }, h(Button, { kind: "primary", onClick: resume }, say("verb.resume"))),
        error && h(Failure, { error }),
      ),
    recording.lost > 0 && h(Note, { kind: "bad", role: "status", title: say("recording.lost", { events: count("event", recording.lost), why: recording.lost_reason }) }, h("p", null, say("recording.lost.text"))),
    ...recording.warnings.map((line, index) => h(Note, { key: index, kind: "warn" }, h(Agent, { text: line }))),
  );
}

/** Decisions made elsewhere since the tab was last open: the person should know them as theirs. */
function Announcements({ news, onDecide }) {
  const [kept, setKept] = useState([]);
  useEffect(() => {
    // They count as told once; on this page they stay until they are closed.
    setKept((old) => [...news.filter((one) => !old.some((other) => other.event_id === one.event_id)).reverse(), ...old]);
  }, [news]);
  if (!kept.length) return null;
  const line = (one, index) => h(Announcement, { key: one.event_id, one, isLast: kept.findIndex((other) => other.number === one.number) === index, onDecide });
  return h(
    Note,
    { kind: "warn", role: "status", title: say("announce.title") },
    h("ul", { className: "kata-announced" }, ...kept.slice(0, TOLD).map(line)),
    kept.length > TOLD && h("details", null, h("summary", null, say("announce.more", { count: kept.length - TOLD })), h("ul", { className: "kata-announced" }, ...kept.slice(TOLD).map((one, index) => line(one, index + TOLD)))),
    h("div", { className: "kata-row" }, h(Button, { onClick: () => setKept([]) }, say("announce.mine"))),
  );
}

function Announcement({ one, isLast, onDecide }) {
  const text = say("announce", { name: one.name, verb: word("done", one.verb), who: actorText(one.by) });
  const undo = isLast && one.verb !== "refused" && one.verb !== "forget";
  return h("li", null, h("span", null, h(Agent, { text }), " ", h("span", { className: "kata-dim" }, h(Moment, { at: one.at, short: clock }))), undo && h(Button, { kind: "quiet", onClick: () => onDecide("undo", { number: one.number, name: one.name }) }, say("announce.undo")));
}

/** What was seen and not proposed, each with the reason. */
export function SeenPage() {
  const { data, error, loading, waiting, reload } = useFresh("seen", async () => (await get("katas", { all: true })).data);
  if (!data) return loading ? h(Loading) : h(Failure, { error, onRetry: reload });
  const rows = data.katas.filter((row) => row.state === "seen");
  return h(
    Section,
    { title: say("seen.title", { sequences: count("sequence", rows.length) }), id: "kata-seen" },
    h(Waiting, { number: waiting, onShow: reload }),
    rows.length === 0 && h("p", null, say("seen.none")),
    h("ul", { className: "kata-list kata-still" }, ...rows.map((row, index) => h(SeenRow, { key: index, row }))),
  );
}

function SeenRow({ row }) {
  return h(
    "li",
    { className: "kata-seen-row" },
    h("p", { className: "kata-steps" }, h(Agent, { text: stepsText(row.steps), line: true })),
    h("p", { className: "kata-dim" }, count("conversation", row.support), row.confidence ? " · " + say("confidence", { value: row.confidence.toFixed(2) }) : ""),
    row.detail ? h("details", null, h("summary", { "data-item": true }, whyNot(row)), h("p", null, h(Agent, { text: row.detail }))) : h("p", { "data-item": true, tabIndex: 0 }, whyNot(row)),
  );
}


function whyNot(row) {
  return say("seen.because") + " " + row.blocked_by.map((why) => word("blocked", why)).join(", ");
}
