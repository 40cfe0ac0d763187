// Decisions: each is asked in a dialog that says what it does, focus on Cancel; Enter in a field decides nothing.

import { get, post } from "./api.js";
import { Dialog, Field, NoteField, Question } from "./dialog.js";
import { Failure, conflictText } from "./failures.js";
import { h, useEffect, useState } from "./host.js";
import { catchUp } from "./live.js";
import { Agent } from "./marks.js";
import { ASKS, Button, Effect, Loading, Note, effectCounts } from "./parts.js";
import { toast } from "./toast.js";
import { say, word } from "./words.js";
import { DiffView } from "./versions.js";

const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/** Make a decision; on success say so, with a way back. */
export async function decide(verb, kata, body, onDone) {
  const { data } = await post("katas/" + kata.number + "/" + verb, body);
  catchUp();
  const undo = data.undo ? () => decide("undo", kata, {}, onDone).catch((error) => toast(conflictText(error))) : null;
  toast([say("decided." + (verb === "undo" ? data.verb : verb), { name: data.name, number: data.number, version: data.version }), data.visible && say("visible." + data.visible)].filter(Boolean).join(" "), undo);
  onDone(data);
  return data;
}

/** The dialog for a verb; `asked` is `{ verb, row, version }`, or null for none. */
export function Deciding({ asked, onClose, onDone }) {
  if (!asked) return null;
  const kinds = { approve: Approve, reject: Reject, rollback: Rollback, undo: Undo };
  const kind = kinds[asked.verb] || Simple;
  const done = (data) => {
    onClose();
    onDone(data);
  };
  return h(kind, { key: asked.verb + asked.row.number, ...asked, onClose, onDone: done });
}

function useDeciding(verb, row, onDone) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  async function act(body, other = verb) {
    setBusy(true);
    setError(null);
    try {
      await decide(other, row, body, onDone);
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  }
  return { busy, error, act };
}

function Simple({ verb, row, onClose, onDone }) {
  const [note, setNote] = useState("");
  const { busy, error, act } = useDeciding(verb, row, onDone);
  return h(
    Question,
    { title: say("ask." + verb, { name: row.name }), answer: say("verb." + verb), busy, onClose, onAnswer: () => act({ note }), failure: error && h(Refusal, { error }) },
    h("p", null, say("ask." + verb + ".text")),
    h(NoteField, { value: note, onChange: setNote }),
  );
}

function Refusal({ error }) {
  return error.code === "conflict" ? h(Note, { kind: "bad", role: "alert", title: conflictText(error) }, h("p", null, say("conflict.look"))) : h(Failure, { error });
}

function Undo({ verb, row, onClose, onDone }) {
  const [preview, setPreview] = useState(null);
  const [failed, setFailed] = useState(null);
  const { busy, error, act } = useDeciding(verb, row, onDone);
  useEffect(() => {
    get("katas/" + row.number + "/undo").then((answer) => setPreview(answer.data), setFailed);
  }, []);
  const what = preview && word("undo", preview.verb).replace("{version}", preview.version || "");
  return h(
    Question,
    { title: say("ask.undo", { name: row.name }), answer: say("verb.undo"), busy: busy || !preview, onClose, onAnswer: () => act({}), failure: (error || failed) && h(Refusal, { error: error || failed }) },
    preview ? h("p", null, what) : !failed && h(Loading),
  );
}

const UNTIL = ["forever", "changed", "seen", "date"];

function Reject({ verb, row, onClose, onDone }) {
  const [until, setUntil] = useState("forever");
  const [seen, setSeen] = useState("5");
  const [date, setDate] = useState("");
  const [note, setNote] = useState("");
  const { busy, error, act } = useDeciding(verb, row, onDone);
  function answer() {
    if (until === "forever") return act({ note });
    const condition = { kind: until, seen: until === "seen" ? Number(seen) : undefined, date: until === "date" ? new Date(date + "T00:00").toISOString() : undefined };
    return act({ note, until: condition }, "defer");
  }
  const ready = (until !== "seen" || Number(seen) >= 1) && (until !== "date" || date);
  const extra = {
    seen: h("input", { className: "kata-input kata-shorter", type: "number", min: 1, value: seen, "aria-label": say("until.seen.count"), onChange: (event) => setSeen(event.target.value), onFocus: () => setUntil("seen") }),
    date: h("input", { className: "kata-input kata-short", type: "date", value: date, "aria-label": say("until.date.day"), onChange: (event) => setDate(event.target.value), onFocus: () => setUntil("date") }),
  };
  return h(
    Dialog,
    { title: say("ask.reject", { name: row.name }), onClose, actions: h(Button, { kind: "primary", busy, disabled: busy || !ready, onClick: answer }, say(until === "forever" ? "verb.reject" : "verb.defer")) },
    h(
      "fieldset",
      { className: "kata-choices" },
      h("legend", null, say("until.legend")),
      ...UNTIL.map((kind) => h("label", { key: kind, className: "kata-choice" }, h("input", { type: "radio", name: "kata-until", checked: until === kind, onChange: () => setUntil(kind) }), h("span", null, say("until." + kind)), extra[kind])),
    ),
    h(NoteField, { value: note, onChange: setNote }),
    error && h(Refusal, { error }),
  );
}

/** Approve one very version: the effects again, a name, a tick for each step that reaches outside, a note. */
function Approve({ row, version, digest, onClose, onDone }) {
  const [review, setReview] = useState(null);
  const [failed, setFailed] = useState(null);
  useEffect(() => {
    get("katas/" + row.number, { version }).then((answer) => setReview(answer.data), setFailed);
  }, []);
  if (review) return h(ApproveRead, { row, review, digest: digest || review.digest, onClose, onDone });
  return h(Dialog, { title: say("ask.approve", { name: row.name }), onClose }, failed ? h(Failure, { error: failed }) : h(Loading));
}

function ApproveRead({ row, review, digest, onClose, onDone }) {
  const [name, setName] = useState(row.name);
  const [note, setNote] = useState("");
  const [renames, setRenames] = useState({});
  const [ticked, setTicked] = useState({});
  const [using, setUsing] = useState({});
  const { busy, error, act } = useDeciding("approve", row, onDone);
  const outside = flat(review.steps).filter((step) => ASKS.includes(step.effect));
  const wrong = nameProblem(name) || (error && error.code === "bad_name" ? error.message : "");
  const stale = error && error.code === "stale_digest";
  const ready = !nameProblem(name) && outside.every((step) => ticked[step.number]) && review.choices.every((one) => using[one.place]) && !busy && !stale;
  const changedNames = Object.fromEntries(Object.entries(renames).filter(([old, now]) => now && now !== old));
  return h(
    Dialog,
    {
      title: say("ask.approve", { name: row.name }),
      onClose,
      wide: true,
      actions: h(Button, { kind: "primary", busy, disabled: !ready, onClick: () => act({ digest, name, note, renames: changedNames, using }) }, say("verb.approve")),
    },
    h("p", null, say("approve.text", { name: "kata_" + name, version: review.version, digest: digest.slice(0, 6) })),
    h("p", null, h("strong", null, effectCounts(review.effects)), " – ", say(review.asks_each_run ? "plan.asks" : "plan.asks_not")),
    h(Warnings, { review }),
    stale && h(Stale, { error, row, onAgain: () => onDone() }),
    ...review.choices.map((choice) => h(Source, { key: choice.place, choice, value: using[choice.place], onChoose: (source) => setUsing({ ...using, [choice.place]: source }) })),
    outside.length > 0 && h("fieldset", { className: "kata-choices" }, h("legend", null, say("approve.outside")), ...outside.map((step) => h(Outside, { key: step.number, step, on: ticked[step.number], onTick: (on) => setTicked({ ...ticked, [step.number]: on }) }))),
    h(
      Field,
      { id: "kata-name", label: say("approve.name"), hint: say("approve.name.hint"), problem: wrong ? h(NameProblem, { name, wrong, error, onUse: setName }) : "" },
      h("input", { id: "kata-name", className: "kata-input", value: name, spellCheck: false, autoComplete: "off", "aria-invalid": Boolean(wrong), "aria-describedby": "kata-name-hint kata-name-problem", onChange: (event) => setName(event.target.value) }),
    ),
    h(Renames, { inputs: review.inputs, renames, onRename: setRenames }),
    h(NoteField, { value: note, onChange: setNote, asked: outside.length > 0 }),
    error && !stale && error.code !== "bad_name" && h(Refusal, { error }),
  );
}

/** What one should have read before the button: the miner's warnings, and checks that did not pass. */
export function Warnings({ review }) {
  const checks = review.checks.filter((check) => check.status !== "passed").map((check) => check.name + ": " + check.detail);
  const lines = [...review.warnings, ...checks];
  if (!lines.length) return null;
  const waits = review.row.pending_version === review.version;
  return h(Note, { kind: waits ? "warn" : "plain", title: say(waits ? "warnings" : "warnings.later", { count: lines.length }) }, h("ul", { className: "kata-bullets" }, ...lines.map((line, index) => h("li", { key: index }, h(Agent, { text: line })))));
}

/** What changed meanwhile; going on shows the page as it is now, whatever holds it still. */
function Stale({ error, row, onAgain }) {
  const changed = error.told.changed || [];
  return h(
    Note,
    { kind: "bad", role: "alert", title: say("stale.title") },
    changed.length ? h("ul", { className: "kata-changes" }, ...changed.map((line, index) => h("li", { key: index }, h(Agent, { text: line })))) : h("p", null, h(Agent, { text: error.message })),
    h(Button, { kind: "primary", onClick: onAgain }, say("stale.again", { name: row.name })),
  );
}

/** Several sources explain this argument of an effect: one is chosen before the button. */
function Source({ choice, value, onChoose }) {
  const id = "kata-source-" + choice.place;
  const shown = (source) => (source === "shown" ? say("approve.source.shown") : source);
  return h(
    Field,
    { id, label: say("approve.source", { step: choice.step, path: choice.path }), hint: say("approve.source.hint") },
    h(
      "select",
      { id, className: "kata-input", "aria-describedby": id + "-hint", value: value || "", onChange: (event) => onChoose(event.target.value) },
      h("option", { value: "", disabled: true }, say("approve.source.none")),
      ...choice.sources.map((source) => h("option", { key: source, value: source }, shown(source))),
    ),
  );
}

function Outside({ step, on, onTick }) {
  const told = step.arguments.map((one) => one.text).join("  ");
  return h(
    "label",
    { className: "kata-choice" },
    h("input", { type: "checkbox", checked: Boolean(on), onChange: (event) => onTick(event.target.checked) }),
    h("span", null, say("approve.step", { step: step.number }), " ", h(Effect, { effect: step.effect }), " ", h(Agent, { text: step.tool }), " ", h("code", { className: "kata-code" }, h(Agent, { text: told, line: true }))),
  );
}

function NameProblem({ name, wrong, error, onUse }) {
  const offer = nameProblem(name) ? slug(name) : error && error.told.offer;
  return h("span", null, h(Agent, { text: wrong }), offer && h(Button, { kind: "quiet", onClick: () => onUse(offer) }, say("approve.use", { name: offer })));
}

function nameProblem(name) {
  return NAME.test(name.replace(/^kata_/, "")) ? "" : say("approve.name.bad");
}

/** An allowed name that is like a text. */
export function slug(text) {
  const plain = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  return (/^[0-9]/.test(words) ? "run_" + words : words).slice(0, 40).replace(/_+$/, "");
}

function Renames({ inputs, renames, onRename }) {
  const names = Object.keys(inputs.properties || {});
  if (!names.length) return null;
  return h(
    "details",
    { className: "kata-renames" },
    h("summary", null, say("approve.renames")),
    ...names.map((name) => h(Field, { key: name, id: "kata-rename-" + name, label: h(Agent, { text: name }) }, h("input", { id: "kata-rename-" + name, className: "kata-input", value: renames[name] || "", placeholder: name, spellCheck: false, onChange: (event) => onRename({ ...renames, [name]: event.target.value }) }))),
  );
}

/** All steps, the bodies of loops once. */
export function flat(steps) {
  return steps.flatMap((step) => (step.body.length ? step.body : [step]));
}

/** Go back to an earlier version: first what that changes and whether it still passes its checks. */
function Rollback({ verb, row, version, onClose, onDone }) {
  const [shown, setShown] = useState(null);
  const [failed, setFailed] = useState(null);
  const [note, setNote] = useState("");
  const { busy, error, act } = useDeciding(verb, row, onDone);
  useEffect(() => {
    const asked = [get("katas/" + row.number + "/diff", { from: row.version, to: version }), get("katas/" + row.number, { version })];
    Promise.all(asked).then(([diff, review]) => setShown({ diff: diff.data, review: review.data }), setFailed);
  }, []);
  const sound = shown && !shown.review.checks.some((check) => check.status === "failed");
  return h(
    Dialog,
    { title: say("ask.rollback", { name: row.name, version }), onClose, wide: true, actions: h(Button, { kind: "primary", busy, disabled: busy || !sound, onClick: () => act({ version, note }) }, say("verb.restore", { version })) },
    failed && h(Failure, { error: failed }),
    !shown && !failed && h(Loading),
    shown && !sound && h(Note, { kind: "bad", role: "alert", title: say("rollback.unsound") }),
    shown && h(DiffView, { diff: shown.diff }),
    shown && h(Checks, { checks: shown.review.checks, open: true }),
    h(NoteField, { value: note, onChange: setNote }),
    error && h(Refusal, { error }),
  );
}

/** "11 passed, 1 warning", and each below. */
export function Checks({ checks, open }) {
  const of = (...kinds) => checks.filter((check) => kinds.includes(check.status));
  const told = say("checks.line", { passed: of("passed").length, warnings: of("warning").length, rest: of("failed", "not_run").length });
  const rank = { failed: 0, not_run: 1, warning: 2, passed: 3 };
  const sorted = [...checks].sort((a, b) => rank[a.status] - rank[b.status]);
  return h(
    "details",
    { className: "kata-checks", open: open || of("failed").length > 0 },
    h("summary", null, say("checks.title"), " ", told),
    h("ul", null, ...sorted.map((check) => h("li", { key: check.name, className: "kata-check-" + check.status }, h("span", { className: "kata-check-word" }, word("check", check.status)), " ", h("strong", null, check.name), " ", h(Agent, { text: check.detail })))),
  );
}
