// What compiled tools did: a list, and one run as bars over time, as lines, or as JSON; the failed step comes first to the eye.

import { get, post } from "./api.js";
import { Question, NoteField } from "./dialog.js";
import { Failure } from "./failures.js";
import { h, useEffect, useRef, useState } from "./host.js";
import { catchUp, useFresh } from "./live.js";
import { Agent } from "./marks.js";
import { Button, Copy, Effect, Json, Loading, Note, Outcome, Section, Waiting, brief, classes, copyLink } from "./parts.js";
import { linkTo } from "./route.js";
import { Moment, clock, span, whole } from "./times.js";
import { count, has, say } from "./words.js";

const TROUBLED = ["failed", "blocked", "unknown"];

export function RunsTab({ number, place }) {
  const key = "runs " + (number || "");
  const { data, error, loading, waiting, reload } = useFresh(key, async () => (await get("runs", { kata: number, limit: 100 })).data);
  if (!data) return loading ? h(Loading) : h(Failure, { error, onRetry: reload });
  return h(
    Section,
    { title: say("runs.title", { runs: count("run", data.length) }), id: "kata-runs" },
    h(Waiting, { number: waiting, onShow: reload }),
    data.length === 0 && h("p", null, say("runs.empty")),
    h("ol", { className: "kata-list kata-still" }, ...data.map((run, index) => h(RunLine, { key: run.run_id, run, before: data[index + 1], place, named: !number }))),
  );
}

/** A mark stands where the version changed since the run before. */
function RunLine({ run, before, place, named }) {
  const other = before && before.number === run.number && before.version !== run.version;
  return h(
    "li",
    { className: classes("kata-line", "kata-edge-outcome-" + (run.outcome || "running")) },
    h("a", { className: "kata-name", "data-item": true, ...linkTo({ ...place, run: run.run_id }) }, h(Moment, { at: run.started_at, short: clock }), named && h("span", null, " ", h(Agent, { text: run.name }))),
    h(Outcome, { outcome: run.outcome }),
    h("span", { className: "kata-cell kata-dim" }, "v" + run.version, other && h("span", { className: "kata-warn-text" }, " ", say("runs.new_version")), " · ", span(run.duration_ms), " · ", count("step", run.steps)),
    h("span", { className: "kata-cell" }, TROUBLED.includes(run.outcome) && h(Agent, { text: (run.failed_step ? say("runs.at_step", { step: run.failed_step }) + ": " : "") + run.reason, line: true })),
  );
}

export function RunPage({ id, back }) {
  const { data, error, loading, waiting, reload } = useFresh("run " + id, async () => (await get("runs/" + encodeURIComponent(id))).data);
  const [view, setView] = useState("timeline");
  const [open, setOpen] = useState(null);
  if (!data) return loading ? h(Loading) : h(Failure, { error, onRetry: reload });
  const failed = data.steps.find((one) => TROUBLED.includes(one.outcome));
  const shown = open || new Set(failed ? [failed.index] : []);
  const toggle = (index) => setOpen(new Set(shown.has(index) ? [...shown].filter((one) => one !== index) : [...shown, index]));
  const all = shown.size === data.steps.length;
  return h(
    "div",
    { className: "kata-page" },
    h(RunHead, { run: data, back }),
    h(Waiting, { number: waiting, onShow: reload }),
    h(RunEnd, { run: data, reload }),
    h(
      "div",
      { className: "kata-row" },
      h("div", { className: "kata-row-tight", role: "group", "aria-label": say("run.view") }, ...["timeline", "compact", "json"].map((one) => h(Button, { key: one, kind: view === one ? "chosen" : "quiet", "aria-pressed": view === one, onClick: () => setView(one) }, say("run.view." + one)))),
      view === "timeline" && h(Button, { kind: "quiet", onClick: () => setOpen(new Set(all ? [] : data.steps.map((one) => one.index))) }, say(all ? "run.collapse" : "run.expand")),
      copyLink(),
      h(Copy, { text: "hermes kata run show " + data.row.run_id }, say("copy.cli")),
    ),
    view === "json" ? h(Json, { value: data }) : h(Trace, { run: data, view, shown, toggle, failed }),
  );
}

function RunHead({ run, back }) {
  const row = run.row;
  return h(
    "div",
    { className: "kata-head" },
    h("a", { className: "kata-link", ...linkTo(back) }, "← ", say("run.back")),
    h("h2", null, h("a", { className: "kata-link", ...linkTo({ kata: row.number }) }, h(Agent, { text: row.name })), " v" + row.version, " ", h(Outcome, { outcome: row.outcome })),
    h("p", { className: "kata-dim" }, h(Moment, { at: row.started_at, short: whole }), " · ", span(row.duration_ms), " · ", h("code", null, row.run_id), row.session_id && h("span", null, " · ", say("run.session"), " ", h("code", null, h(Agent, { text: row.session_id })))),
    h("p", null, say("run.inputs"), " ", h("code", { className: "kata-code" }, h(Agent, { text: brief(run.inputs, 400), line: true }))),
  );
}

function RunEnd({ run, reload }) {
  const [asking, setAsking] = useState(false);
  const row = run.row;
  if (!TROUBLED.includes(row.outcome)) return null;
  const advice = has("advice." + row.code) ? say("advice." + row.code) : say("advice.other");
  return h(
    Note,
    { kind: row.outcome === "failed" ? "bad" : "warn", title: row.failed_step ? say("run.stopped_at", { step: row.failed_step }) : say("run.stopped") },
    h("p", null, h(Agent, { text: row.reason })),
    h("p", null, advice),
    row.outcome === "unknown" && (run.acknowledged ? h("p", null, say("run.acknowledged")) : h(Button, { onClick: () => setAsking(true) }, say("run.acknowledge"))),
    asking && h(Acknowledge, { id: row.run_id, onClose: () => setAsking(false), onDone: reload }),
  );
}

function Acknowledge({ id, onClose, onDone }) {
  const [note, setNote] = useState("");
  const [error, setError] = useState(null);
  async function answer() {
    try {
      await post("runs/" + encodeURIComponent(id) + "/acknowledge", { note });
      catchUp();
      onClose();
      onDone();
    } catch (failed) {
      setError(failed);
    }
  }
  return h(
    Question,
    { title: say("run.acknowledge"), answer: say("run.acknowledge.do"), onClose, onAnswer: answer, failure: error && h(Failure, { error }) },
    h("p", null, say("run.acknowledge.text")),
    h(NoteField, { value: note, onChange: setNote, asked: true }),
  );
}

function Trace({ run, view, shown, toggle, failed }) {
  const start = new Date(run.row.started_at).getTime();
  const end = Math.max(...run.steps.map((one) => endOf(one, start)), start + 1);
  const focus = useRef(null);
  useEffect(() => {
    if (focus.current) focus.current.focus({ preventScroll: false });
  }, []);
  return h(
    "ol",
    { className: classes("kata-trace", view === "compact" && "kata-compact") },
    ...run.steps.map((one) => h(TraceStep, { key: one.index, one, view, start, total: end - start, open: view === "timeline" && shown.has(one.index), toggle, anchor: one === failed ? focus : null })),
  );
}

function endOf(one, start) {
  return one.started_at ? new Date(one.started_at).getTime() + (one.duration_ms || 0) : start;
}

function TraceStep({ one, view, start, total, open, toggle, anchor }) {
  const begins = one.started_at ? new Date(one.started_at).getTime() - start : 0;
  const bar = one.started_at && { marginInlineStart: Math.min(98, (100 * begins) / total) + "%", width: Math.max(1, Math.min(100, (100 * (one.duration_ms || 0)) / total)) + "%" };
  const place = one.element === null ? one.step : one.step + "[" + one.element + "]";
  const summary = [
    h("span", { key: 1, className: "kata-number" }, place),
    h("span", { key: 2, className: "kata-tool" }, h(Agent, { text: one.tool })),
    h(Effect, { key: 3, effect: one.effect }),
    h(Outcome, { key: 4, outcome: one.outcome }),
    h("span", { key: 5, className: "kata-dim" }, timesText(one, begins)),
  ];
  if (view === "compact") return h("li", { className: "kata-line" }, ...summary, one.reason && h(Agent, { text: one.reason, line: true }));
  return h(
    "li",
    { className: classes("kata-step", "kata-edge-outcome-" + one.outcome) },
    h("button", { type: "button", className: "kata-trace-head", "aria-expanded": open, "data-item": true, ref: anchor, onClick: () => toggle(one.index) }, h("span", { className: "kata-row" }, ...summary), h("span", { className: "kata-track", "aria-hidden": true }, bar && h("span", { className: "kata-bar kata-bar-" + one.outcome, style: bar }))),
    open && h(TraceDetail, { one }),
  );
}

function timesText(one, begins) {
  if (!one.started_at) return say("run.never_began");
  const attempts = one.attempts > 1 ? " · " + say("run.attempts", { count: one.attempts }) : "";
  return say("run.times", { at: span(begins), took: span(one.duration_ms) }) + attempts;
}

function TraceDetail({ one }) {
  return h(
    "div",
    { className: "kata-trace-detail" },
    one.reason && h("p", { className: TROUBLED.includes(one.outcome) ? "kata-bad-text" : "" }, h(Agent, { text: one.reason })),
    one.exit_code !== null && h("p", null, say("run.exit", { code: one.exit_code })),
    h("h3", null, say("run.given")),
    h(Json, { value: one.args }),
    one.result !== null && h("h3", null, say("run.answered")),
    one.result !== null && h(Json, { value: one.result }),
    one.late !== null && h("h3", null, say("run.late")),
    one.late !== null && h(Json, { value: one.late }),
  );
}
