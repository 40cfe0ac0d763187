// Built by scripts/build_tab.py from kata/dashboard/src: change it there.
(function () {
"use strict";

// host.js
// What the dashboard gives us. Everything is probed: another version of it must not take the tab down.

const SDK = window.__HERMES_PLUGIN_SDK__ || {};

const React = SDK.React || window.React;
const hooks = { ...(React || {}), ...(SDK.hooks || {}) };

const { useState, useEffect, useCallback, useMemo, useRef } = hooks;

/** Make an element: a tag or component, properties, children. */
function h(kind, properties, ...children) {
  return React.createElement(kind, properties, ...children);
}

const hostLocale = typeof SDK.useI18n === "function" ? SDK.useI18n : () => ({});

/** The language that the person chose for the dashboard. */
function useLocale() {
  const chosen = hostLocale();
  return (chosen && chosen.locale) || document.documentElement.lang || "en";
}

/** Send a request with the dashboard's own credentials; return its status and text. */
async function send(url, init) {
  if (typeof SDK.authedFetch === "function") return read(await SDK.authedFetch(url, init));
  if (typeof SDK.fetchJSON === "function") return viaJson(url, init);
  const headers = { ...(init && init.headers), "X-Hermes-Session-Token": window.__HERMES_SESSION_TOKEN__ || "" };
  return read(await fetch((window.__HERMES_BASE_PATH__ || "") + url, { ...init, headers, credentials: "include" }));
}

async function read(response) {
  return { status: response.status, text: await response.text() };
}

// An SDK with fetchJSON alone throws "409: {…}" for what is not 200.
async function viaJson(url, init) {
  try {
    return { status: 200, text: JSON.stringify(await SDK.fetchJSON(url, init)) };
  } catch (error) {
    const told = /^(\d{3}): ([\s\S]*)$/.exec((error && error.message) || "");
    if (!told) throw error;
    return { status: Number(told[1]), text: told[2] };
  }
}

/** Give the host the tab. */
function register(name, component) {
  const plugins = window.__HERMES_PLUGINS__;
  if (plugins && typeof plugins.register === "function") plugins.register(name, component);
}

// route.js
// Where one is: all of it stands in the address, so that a reload, a bookmark and Back work.


const FILTERS = ["actor", "action", "channel", "about", "since", "until", "q"];
const KEYS = ["view", "kata", "tab", "version", "from", "run", "event", "observations", ...FILTERS];

/** Read the address: an object with the keys that are set. */
function readRoute() {
  const words = new URLSearchParams(window.location.search);
  const found = {};
  KEYS.forEach((key) => {
    if (words.get(key)) found[key] = words.get(key);
  });
  return found;
}

/** The profile that the page shows; the host keeps it in the address. */
function profile() {
  return new URLSearchParams(window.location.search).get("profile") || "";
}

/** The address of another place; everything else in the address (the profile) stays. */
function href(place) {
  const words = new URLSearchParams(window.location.search);
  KEYS.forEach((key) => words.delete(key));
  KEYS.forEach((key) => {
    if (place[key]) words.set(key, place[key]);
  });
  const told = words.toString();
  return window.location.pathname + (told ? "?" + told : "");
}

/** Go to a place; `replace` leaves no step for Back. */
function go(place, { replace = false } = {}) {
  const state = window.history.state;
  window.history[replace ? "replaceState" : "pushState"](state, "", href(place));
  // The host's router listens to this too, and so keeps our words when the profile changes.
  window.dispatchEvent(new PopStateEvent("popstate", { state }));
}

/** The present place; the component is drawn again when it changes. */
function useRoute() {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = () => setRoute(readRoute());
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, []);
  return route;
}

/** Properties of a link that goes there without loading the page anew. */
function linkTo(place) {
  return {
    href: href(place),
    onClick: (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
      event.preventDefault();
      go(place);
    },
  };
}

// api.js
// Kata's API: every answer is data, every refusal an ApiError that says what kind it is.


const ROOT = "/api/plugins/kata/";

/** What went wrong: `kind` is session, missing, absent, refused, conflict, invalid, store, fault, strange or offline. */
class ApiError extends Error {
  constructor(kind, status, told) {
    super((told && told.message) || "");
    this.kind = kind;
    this.status = status;
    this.code = (told && told.code) || "";
    this.hint = (told && told.hint) || "";
    this.told = told || {};
  }
}

const KINDS = { 401: "session", 403: "refused", 404: "absent", 409: "conflict", 422: "invalid", 503: "store" };

function get(path, query) {
  return call(path, query);
}

function post(path, body, query) {
  return call(path, query, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body || {}),
  });
}

/** Return an answer as text, for a download. */
async function download(path, query) {
  const answer = await reach(path, query);
  if (answer.status === 200) return answer.text;
  throw refusal(answer.status, parsed(answer.text));
}

async function call(path, query, init) {
  const answer = await reach(path, query, init);
  const body = parsed(answer.text);
  if (answer.status < 300 && body && body.ok === true) return body;
  throw refusal(answer.status, body);
}

async function reach(path, query, init) {
  try {
    return await send(ROOT + path + queryText(query), init);
  } catch (error) {
    throw new ApiError("offline", 0, { message: String((error && error.message) || error) });
  }
}

function queryText(query) {
  const words = new URLSearchParams();
  const all = { ...query, profile: profile() };
  Object.keys(all).forEach((key) => {
    if (all[key] !== undefined && all[key] !== null && all[key] !== "") words.set(key, all[key]);
  });
  const told = words.toString();
  return told ? "?" + told : "";
}

function parsed(content) {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

function refusal(status, body) {
  if (status === 401) return new ApiError("session", status);
  if (body === null) return new ApiError(status === 404 ? "missing" : "strange", status);
  // The host's own 404 has no error of ours: Kata's routes are not there.
  if (status === 404 && !body.error) return new ApiError("missing", status);
  return new ApiError(KINDS[status] || "fault", status, body.error);
}

// marks.js
// Text that an agent made: shown as text, with a visible mark for each character that could deceive.


const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const PLAIN = new Set(["\n", "\t"]);

/** Cut a text into pieces: strings, and marks as `{ mark }`. */
function pieces(text) {
  const found = [];
  let run = "";
  for (const char of String(text)) {
    if (!HIDDEN.test(char) || PLAIN.has(char)) {
      run += char;
      continue;
    }
    if (run) found.push(run);
    run = "";
    found.push({ mark: "⟦U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "⟧" });
  }
  if (run) found.push(run);
  return found;
}

/** The text with its marks, as one string. */
function marked(text) {
  return pieces(text).map((one) => one.mark || one).join("");
}

/** On one line: a newline becomes a sign. */
function oneLine(text) {
  return String(text).replace(/\r?\n/g, " ⏎ ").replace(/\t/g, " ");
}

/** An agent's text as an element. */
function Agent({ text, line }) {
  const shown = line ? oneLine(text) : text;
  return h(
    "bdi",
    null,
    ...pieces(shown).map((one, index) => (one.mark ? h("span", { key: index, className: "kata-mark" }, one.mark) : one)),
  );
}

// words/en.js
// The English catalogue of the tab, by page. Words shared with chat and shell are the same there.

const EN = {
  "count.call": "{count} call",
  "count.calls": "{count} calls",
  "count.conversation": "{count} conversation",
  "count.conversations": "{count} conversations",
  "count.day": "{count} day",
  "count.days": "{count} days",
  "count.event": "{count} event",
  "count.events": "{count} events",
  "count.run": "{count} run",
  "count.runs": "{count} runs",
  "count.sequence": "{count} sequence",
  "count.sequences": "{count} sequences",
  "count.step": "{count} step",
  "count.steps": "{count} steps",
  "count.time": "{count} time",
  "count.times": "{count} times",

  "time.now": "just now",
  "time.never": "never",
  "time.seconds": "{count} s ago",
  "time.minutes": "{count} min ago",
  "time.hours": "{count} h ago",
  "time.days": "{count} d ago",
  "span.ms": "{count} ms",
  "span.s": "{count} s",
  "span.min": "{minutes} min {seconds} s",

  "effect.read": "read",
  "effect.network_read": "network read",
  "effect.local_write": "local write",
  "effect.external": "external",
  "effect.unknown": "unknown",
  "effect.says.read": "only reads",
  "effect.says.network_read": "reads from the network",
  "effect.says.local_write": "changes local files",
  "effect.says.external": "changes something outside this computer",
  "effect.says.unknown": "not known to Kata: may do anything",
  "effect.of_step": "step {step} {what}",

  "state.candidate": "candidate",
  "state.active": "active",
  "state.stale": "stale",
  "state.suspended": "suspended",
  "state.disabled": "disabled",
  "state.rejected": "rejected",
  "state.seen": "seen",
  "state.deferred": "set aside",

  "outcome.succeeded": "succeeded",
  "outcome.failed": "FAILED",
  "outcome.blocked": "blocked",
  "outcome.unknown": "UNKNOWN",
  "outcome.skipped": "skipped",
  "outcome.running": "running",

  "surface.slash": "chat",
  "surface.cli": "a shell",
  "surface.dashboard": "the dashboard",
  "surface.hook": "Hermes",
  "surface.tool": "a tool",
  "surface.import": "an import",
  "actor.at": "{who} in {where}",
  "kind.human": "person",
  "kind.agent": "agent",
  "kind.system": "Kata itself:",

  "blocked.support": "too few conversations",
  "blocked.coherence": "nothing ties its steps",
  "blocked.fit": "does not fit its own examples",
  "blocked.confidence": "confidence too low",
  "blocked.near_duplicate": "nearly the same as another",
  "blocked.masked_value": "holds a masked value",
  "blocked.not_compilable": "cannot be compiled",
  "blocked.tool_not_here": "a tool is not here",
  "blocked.pending_limit": "five proposals wait already",

  "nav.label": "Kata",
  "nav.overview": "Overview",
  "nav.runs": "Runs",
  "nav.audit": "Audit",
  "header.profile": "profile {profile}",
  "header.last": "last event",
  "recording.on": "recording on",
  "recording.paused": "Recording is paused",
  "recording.until": "Recording is paused until {until}",
  "recording.none_lost": "0 lost",
  "recording.some_lost": "{count} NOT STORED",
  "recording.hidden": "{calls} not visible to Kata",
  "recording.lost": "{events} not stored: {why}",
  "recording.lost.text": "The agent is not affected. Make room on the disk or look into the log's folder; recording goes on by itself.",

  "loading": "Loading…",
  "news": "{count} new – show",
  "again": "Try again",
  "reload": "Reload",
  "close": "Close",
  "cancel": "Cancel",
  "copied": "Copied",
  "copy.link": "Copy link",
  "copy.cli": "Copy shell command",
  "copy.command": "Copy “{command}”",
  "copy.by_hand": "Copy this:",
  "confidence": "confidence {value}",
  "broken.title": "This page of Kata could not be shown",
  "broken.text": "The rest of the dashboard is not affected. Nothing was decided or changed.",

  "overview.needs": "Needs you ({count})",
  "overview.nothing": "Nothing needs you. {active} active.",
  "overview.last_run": "Last run",
  "overview.proposed": "proposed",
  "overview.waits": "waits for you",
  "overview.revised": "version {version} waits for review",
  "overview.see_change": "See change",
  "overview.see_run": "See last run",
  "overview.active": "Active ({count})",
  "overview.aside": "Set aside ({count})",
  "overview.runs_failed": "{runs}, {failed} failed",
  "first.title": "Kata is recording",
  "first.text": "It proposes a routine after it has seen it in {support} separate conversations. So far: {calls} in {conversations}.",
  "first.demo": "Try the demo:",
  "announce": "{name} was {verb} by {who}.",
  "announce.undo": "Not me – undo",
  "announce.title": "Decided elsewhere since you last looked",
  "announce.more": "{count} more",
  "announce.mine": "These were me",
  "done.approve": "approved",
  "done.reject": "rejected",
  "done.reconsider": "reconsidered",
  "done.disable": "disabled",
  "done.enable": "enabled",
  "done.rollback": "rolled back",
  "done.defer": "set aside",
  "done.forget": "forgotten",
  "done.refused": "the target of a refused attempt to decide",
  "seen.line": "{sequences} seen, not proposed.",
  "seen.why": "Why?",
  "seen.title": "Seen, not proposed: {sequences}",
  "seen.none": "Nothing was seen that is not proposed already.",
  "seen.because": "Why not:",

  "kata.digest": "digest",
  "kata.seen": "seen {times} in {conversations} on {days}",
  "kata.changed": "Last change",
  "kata.tabs": "Parts of this kata",
  "tab.plan": "Plan",
  "tab.versions": "Versions & diff",
  "tab.runs": "Runs",
  "tab.evidence": "Evidence",
  "tab.audit": "Audit",
  "trouble.stale": "Stale: something that it rests on has changed. The agent cannot use it now.",
  "trouble.suspended": "Suspended: its runs failed one after another. The agent cannot use it now.",
  "warnings": "Before you decide ({count})",
  "warnings.later": "Good to know ({count})",

  "verb.review": "Review",
  "verb.approve": "Approve",
  "verb.approve.asks": "Approve…",
  "verb.reject": "Reject",
  "verb.reject.asks": "Reject or set aside…",
  "verb.defer": "Set aside",
  "verb.disable": "Disable",
  "verb.enable": "Enable",
  "verb.reconsider": "Reconsider",
  "verb.undo": "Undo",
  "verb.restore": "Restore v{version}",
  "verb.pause": "Pause",
  "verb.resume": "Resume",
  "verb.mine": "Mine now",

  "plan.would_run": "Would run {steps}",
  "plan.needs": "needs {inputs}",
  "plan.asks": "asks for approval on every run",
  "plan.asks_not": "runs without asking",
  "plan.stops": "With these values a run would stop at step {step}",
  "plan.effect_was": "was {effect} when reviewed",
  "plan.exceeds": "It does more than was reviewed: a run stops before this step.",
  "plan.loop": "For each of",
  "plan.loop_limit": "(at most {limit} times):",
  "plan.only_if": "Runs only if",
  "plan.accepts": "Exit codes that count as success besides 0: {codes}",
  "plan.legend": "What the signs mean",
  "plan.is_input": "is given at each call",
  "plan.is_reference": "comes from an earlier step",
  "values.title": "With my values",
  "values.text": "Type a value and see what would run. Nothing is run.",
  "values.none": "It needs no input: it always runs as shown.",
  "values.like": "like {examples}",
  "type.string": "text",
  "type.integer": "whole number",
  "type.number": "number",
  "type.boolean": "yes or no",
  "type.array": "list (JSON)",
  "type.object": "object (JSON)",
  "type.null": "nothing",
  "type.any": "anything",
  "why.word": "why",
  "why.values": "{count} distinct values stood behind it.",
  "why.else": "Could also be:",
  "became.constant": "The same every time",
  "became.input": "An input",
  "became.reference": "From an earlier step",
  "became.text": "Text made of parts",
  "became.ignored": "Left out",
  "became.": "Not noted",

  "checks.title": "Checks:",
  "checks.line": "{passed} passed, {warnings} warnings, {rest} not passed",
  "check.passed": "passed",
  "check.warning": "warning",
  "check.failed": "FAILED",
  "check.not_run": "not run",

  "ask.approve": "Approve {name}",
  "ask.reject": "Reject {name} or set it aside",
  "ask.disable": "Disable {name}",
  "ask.disable.text": "The agent can no longer use it. You can enable it again.",
  "ask.enable": "Enable {name}",
  "ask.enable.text": "It is checked again first; then the agent can use it again.",
  "ask.reconsider": "Reconsider {name}",
  "ask.reconsider.text": "It becomes a proposal again and waits for you.",
  "ask.rollback": "Go back to version {version} of {name}",
  "ask.undo": "Undo the last decision about {name}",
  "ask.pause": "Pause recording",
  "ask.pause.text": "While paused, Kata records nothing and learns nothing. Active katas still run.",
  "pause.for": "For how long",
  "pause.15": "15 minutes",
  "pause.60": "1 hour",
  "pause.480": "8 hours",
  "pause.1440": "1 day",
  "pause.open": "until I resume",
  "approve.text": "The agent gets the tool {name}: version {version}, digest {digest}, exactly as you read it.",
  "approve.outside": "These steps reach outside. Tick each one you allow:",
  "approve.step": "Step {step}",
  "approve.source": "Step {step}: where {path} comes from",
  "approve.source.hint": "Several results held this value every time. An effect rests on it, so you choose.",
  "approve.source.none": "Choose…",
  "approve.source.shown": "as the plan shows",
  "approve.name": "Name",
  "approve.name.hint": "The agent calls it kata_ and this name.",
  "approve.name.bad": "Small letters, digits and underscores, a letter first, at most 40.",
  "approve.use": "Use {name}",
  "approve.renames": "Rename inputs",
  "note.label": "Note (optional)",
  "note.asked": "Note: why is this all right?",
  "note.hint": "It stands in the audit trail.",
  "until.legend": "Until when?",
  "until.forever": "For good: reject it. It is never proposed again, unless you reconsider",
  "until.changed": "Until it changes",
  "until.seen": "Until it was seen in so many more conversations:",
  "until.seen.count": "conversations",
  "until.date": "Until a day:",
  "until.date.day": "day",
  "until.told": "until {until}",
  "stale.title": "Changed while you were reading",
  "stale.again": "Review {name} again",
  "conflict.by": "Somebody else was first: it is {state}, changed by {by}.",
  "conflict.look": "Nothing was changed by you. Close this and look again.",
  "rollback.unsound": "It does not pass its checks now, so it cannot be restored.",
  "undo.disable": "It will be disabled: the agent can no longer use it.",
  "undo.enable": "It will be enabled again, after a fresh check.",
  "undo.reconsider": "It becomes a proposal again.",
  "undo.reject": "It will be rejected again.",
  "undo.rollback": "Version {version} becomes the active one again, after a fresh check.",
  "undo.defer": "It shows among the proposals again.",
  "decided.approve": "Approved {name}.",
  "decided.reject": "Rejected {name}.",
  "decided.defer": "Set {name} aside.",
  "decided.disable": "Disabled {name}.",
  "decided.enable": "Enabled {name}.",
  "decided.reconsider": "{name} is a proposal again.",
  "decided.rollback": "{name} is back at version {version}.",
  "visible.search": "The agent can use it now, through tool search.",
  "visible.next_session": "The agent sees it from the next session.",

  "versions.title": "Versions",
  "versions.only": "There is one version; nothing to compare.",
  "versions.preview": "Preview rollback",
  "version.active": "active",
  "version.waits": "waits for review",
  "version.approved": "approved before",
  "cause.proposal": "first proposal",
  "cause.choice": "another source was chosen",
  "cause.schema": "a tool's schema changed",
  "cause.evidence": "new evidence",
  "diff.title": "What differs",
  "diff.from": "from version",
  "diff.to": "to version",
  "diff.effects": "Effects before: {before}. After: {after}.",
  "diff.same": "Nothing that a run does differs.",
  "diff.unchanged": "{steps} unchanged.",
  "diff.inputs": "Inputs",
  "diff.step.added": "Step {number} added",
  "diff.step.removed": "Step {number} removed",
  "diff.step.changed": "Step {number} changed",
  "diff.becomes": "becomes",
  "diff.was": "changed from",
  "diff.is": "to",

  "runs.title": "{runs}",
  "runs.none": "no runs yet",
  "runs.empty": "No runs yet. A run shows here as soon as the agent calls the tool.",
  "runs.new_version": "new version",
  "runs.at_step": "step {step}",
  "run.back": "Runs",
  "run.session": "session",
  "run.inputs": "Inputs",
  "run.view": "How to show it",
  "run.view.timeline": "Timeline",
  "run.view.compact": "Compact",
  "run.view.json": "JSON",
  "run.expand": "Expand all",
  "run.collapse": "Collapse all",
  "run.stopped": "It stopped",
  "run.stopped_at": "It stopped at step {step}",
  "run.never_began": "never began",
  "run.times": "at {at}, took {took}",
  "run.attempts": "{count} attempts",
  "run.exit": "Exit code {code}",
  "run.given": "Given",
  "run.answered": "Answered",
  "run.late": "Answered late, after its time was over",
  "run.acknowledge": "Allow a repeat of this run",
  "run.acknowledge.do": "Allow a repeat",
  "run.acknowledge.text": "Nobody knows whether its last step did its work. Look first; a repeat may do it twice.",
  "run.acknowledged": "A person allowed a repeat.",
  "advice.step_failed": "Look at what the step was given and answered below. Run it by hand, or disable the kata until it is mended.",
  "advice.precondition": "What the step rests on was not as in the recordings. Look at the step before it.",
  "advice.denied": "A person, or the host's policy, said no. Nothing further was run.",
  "advice.unattended": "Nobody was there to approve. Run it while somebody can answer.",
  "advice.vetoed": "Another plugin or the host's policy blocked the call.",
  "advice.effect_exceeded": "With these inputs the call would have done more than was approved. Review the inputs.",
  "advice.timeout": "The step may still have done its work. Look before anything is repeated.",
  "advice.bad_arguments": "The agent called it with inputs that do not fit. Nothing was run.",
  "advice.stopped": "The user stopped it.",
  "advice.other": "The steps below show how far it came.",

  "evidence.title": "What it rests on",
  "evidence.counts": "Seen {times} in {conversations} on {days}.",
  "evidence.fit": "Each conversation was held out once: {fit} % were reproduced exactly. Confidence {confidence} = {rate} × (1 − 0.6^{support}).",
  "evidence.gone": "{count} of the examples were forgotten; checks that need them cannot run.",
  "evidence.purged": "This example was forgotten.",
  "evidence.session": "session",
  "evidence.open": "Open this conversation in the chat",
  "baseline.title": "What it costs by hand",
  "baseline.none": "By hand: not enough data.",
  "baseline.line": "By hand: {what} (median of {recordings} recordings).",
  "baseline.requests": "{count} model requests",
  "baseline.tokens": "{count} tokens",
  "baseline.seconds": "{count} s",

  "audit.search": "Search the audit trail",
  "audit.placeholder": "Words, or actor:alice action:approved kata:2 since:2026-01-31",
  "audit.find": "Find",
  "audit.total": "{events}, all time",
  "audit.drop": "Remove this filter",
  "audit.clear": "Clear filter",
  "audit.observations": "also what was merely observed",
  "audit.export": "Export",
  "audit.quick": "Quick filters",
  "audit.quick.all": "Everything",
  "audit.quick.people": "What people decided",
  "audit.quick.kata": "What became of katas",
  "audit.quick.runs": "Runs",
  "audit.fold": "{events}:",
  "audit.none": "Nothing has happened yet.",
  "audit.empty": "No events for {filters}.",
  "audit.older": "Older",
  "audit.more": "details",
  "audit.position": "position {position}",
  "audit.run": "See the run",
  "audit.kata": "kata {number}",
  "facet.actor": "Who",
  "facet.channel": "Where",
  "facet.action": "What",
  "facet.kata": "Kata",
  "event.kata.proposed": "proposed",
  "event.kata.revised": "prepared a new version of",
  "event.kata.deferred": "set aside",
  "event.kata.approved": "approved",
  "event.kata.rejected": "rejected",
  "event.kata.reconsidered": "reconsidered",
  "event.kata.went_stale": "marked stale",
  "event.kata.suspended": "suspended",
  "event.kata.disabled": "disabled",
  "event.kata.enabled": "enabled",
  "event.kata.rolled_back": "rolled back",
  "event.decision.refused": "refused a decision about",
  "event.evidence.kept": "kept an example",
  "event.notice.shown": "told a person",
  "event.tool.registration_failed": "could not register",
  "event.run.started": "began a run of",
  "event.run.finished": "ended a run of",
  "event.run.resumed": "went on with a run of",
  "event.run.acknowledged": "allowed a repeat of a run of",
  "event.step.started": "began a step of",
  "event.step.finished": "ended a step of",
  "event.step.performed": "did a step of",
  "event.step.answered_late": "a late answer for",
  "event.mining.completed": "looked for routines",
  "event.recording.paused": "paused recording",
  "event.recording.resumed": "resumed recording",
  "event.observations.lost": "lost observations",
  "event.history.expired": "let history expire",
  "event.history.forgotten": "forgot history",
  "event.import.finished": "imported history",
  "event.log.restored": "restored the log",
  "event.fingerprint.rebased": "renewed the fingerprint key",

  "mine.label": "Looking for routines",
  "mine.begins": "Looking for routines…",
  "mine.progress": "Looking for routines: {share} % ({done} of {total})",
  "mine.cancelled": "Cancelled. What was found before stays.",
  "mine.failed": "Looking for routines failed",
  "mine.done": "Looked at {calls} in {conversations}: {proposed} proposed.",
  "mine.seen": "{sequences} seen, not proposed: {why}.",

  "help.title": "Help and keys",
  "help.about": "Kata finds routines that your agent repeats and proposes each as a tool. Nothing runs as a tool before you approve it; every decision stands in the audit trail and can be undone.",
  "help.keys": "Single keys are on",
  "key.next": "next item",
  "key.previous": "item before",
  "key.open": "open",
  "key.approve": "approve (asks first)",
  "key.reject": "reject (asks first)",
  "key.diff": "versions and diff",
  "key.filter": "search the audit trail",
  "key.help": "this help",
  "key.back": "back",

  "fail.session": "Your dashboard session ended (the server restarted).",
  "fail.session.text": "Reload the page to go on. Nothing was changed.",
  "fail.missing": "Kata's API is not mounted",
  "fail.missing.text": "Restart `hermes dashboard`; see that kata is in plugins.enabled.",
  "fail.absent": "There is no such thing",
  "fail.absent.text": "It is not, or no longer, here.",
  "fail.refused": "Refused: a person is needed",
  "fail.refused.text": "Approval must come from a person.",
  "fail.conflict": "Not possible now",
  "fail.conflict.text": "The state of things does not allow it.",
  "fail.invalid": "The request is not right",
  "fail.invalid.text": "Some of what was sent does not fit.",
  "fail.store": "Kata's log cannot be read or written now",
  "fail.store.text": "It may be locked, full or damaged. The agent is not affected.",
  "fail.fault": "Something went wrong inside Kata",
  "fail.fault.text": "The server's log says more. Nothing was decided.",
  "fail.strange": "The server answered with something else than data",
  "fail.strange.text": "A login page or a proxy may be in between. Sign in again, or restart the dashboard.",
  "fail.offline": "The dashboard's server cannot be reached",
  "fail.offline.text": "Is `hermes dashboard` running?",
};

// words/zh.js
// The Chinese catalogue of the tab: the same keys and the same places as the English one.

const ZH = {
  "count.call": "{count} 次工具调用",
  "count.calls": "{count} 次工具调用",
  "count.conversation": "{count} 个会话",
  "count.conversations": "{count} 个会话",
  "count.day": "{count} 天",
  "count.days": "{count} 天",
  "count.event": "{count} 条事件",
  "count.events": "{count} 条事件",
  "count.run": "{count} 次执行",
  "count.runs": "{count} 次执行",
  "count.sequence": "{count} 个序列",
  "count.sequences": "{count} 个序列",
  "count.step": "{count} 个步骤",
  "count.steps": "{count} 个步骤",
  "count.time": "{count} 次",
  "count.times": "{count} 次",

  "time.now": "刚刚",
  "time.never": "从未",
  "time.seconds": "{count} 秒前",
  "time.minutes": "{count} 分钟前",
  "time.hours": "{count} 小时前",
  "time.days": "{count} 天前",
  "span.ms": "{count} 毫秒",
  "span.s": "{count} 秒",
  "span.min": "{minutes} 分 {seconds} 秒",

  "effect.read": "只读",
  "effect.network_read": "读取网络",
  "effect.local_write": "写本地文件",
  "effect.external": "影响外部",
  "effect.unknown": "未知",
  "effect.says.read": "只读取",
  "effect.says.network_read": "从网络读取",
  "effect.says.local_write": "修改本地文件",
  "effect.says.external": "改变本机之外的东西",
  "effect.says.unknown": "Kata 不了解：可能做任何事",
  "effect.of_step": "步骤 {step} {what}",

  "state.candidate": "候选",
  "state.active": "已启用",
  "state.stale": "需复核",
  "state.suspended": "已暂停",
  "state.disabled": "已停用",
  "state.rejected": "已拒绝",
  "state.seen": "已见过",
  "state.deferred": "已搁置",

  "outcome.succeeded": "成功",
  "outcome.failed": "失败",
  "outcome.blocked": "被阻止",
  "outcome.unknown": "结果未知",
  "outcome.skipped": "已跳过",
  "outcome.running": "执行中",

  "surface.slash": "聊天",
  "surface.cli": "命令行",
  "surface.dashboard": "仪表板",
  "surface.hook": "Hermes",
  "surface.tool": "工具",
  "surface.import": "导入",
  "actor.at": "{who}（{where}）",
  "kind.human": "人",
  "kind.agent": "智能体",
  "kind.system": "Kata 自身：",

  "blocked.support": "会话太少",
  "blocked.coherence": "步骤之间没有联系",
  "blocked.fit": "与自己的示例不符",
  "blocked.confidence": "置信度太低",
  "blocked.near_duplicate": "与另一个几乎相同",
  "blocked.masked_value": "含有脱敏的值",
  "blocked.not_compilable": "无法编译",
  "blocked.tool_not_here": "缺少某个工具",
  "blocked.pending_limit": "已有五个提案在等待",

  "nav.label": "Kata",
  "nav.overview": "概览",
  "nav.runs": "执行记录",
  "nav.audit": "审计",
  "header.profile": "配置 {profile}",
  "header.last": "最近事件",
  "recording.on": "正在记录",
  "recording.paused": "记录已暂停",
  "recording.until": "记录暂停至 {until}",
  "recording.none_lost": "丢失 0 条",
  "recording.some_lost": "{count} 条未能保存",
  "recording.hidden": "{calls}对 Kata 不可见",
  "recording.lost": "{events}未能保存：{why}",
  "recording.lost.text": "智能体不受影响。请腾出磁盘空间或检查日志所在的文件夹；记录会自动继续。",

  "loading": "加载中…",
  "news": "有 {count}更新 – 显示",
  "again": "重试",
  "reload": "重新加载",
  "close": "关闭",
  "cancel": "取消",
  "copied": "已复制",
  "copy.link": "复制链接",
  "copy.cli": "复制命令",
  "copy.command": "复制“{command}”",
  "copy.by_hand": "请复制：",
  "confidence": "置信度 {value}",
  "broken.title": "Kata 的这个页面无法显示",
  "broken.text": "仪表板的其余部分不受影响。没有任何决定或更改。",

  "overview.needs": "等待您处理（{count}）",
  "overview.nothing": "没有需要您处理的事。已启用 {active} 个。",
  "overview.last_run": "最近执行",
  "overview.proposed": "提案于",
  "overview.waits": "等待您处理",
  "overview.revised": "版本 {version} 等待审阅",
  "overview.see_change": "查看变化",
  "overview.see_run": "查看最近执行",
  "overview.active": "已启用（{count}）",
  "overview.aside": "已搁置（{count}）",
  "overview.runs_failed": "{runs}，{failed} 次失败",
  "first.title": "Kata 正在记录",
  "first.text": "在 {support} 个不同的会话中见到同一例行流程后，它会提出提案。目前为止：{conversations}中有 {calls}。",
  "first.demo": "试试演示：",
  "announce": "{name} 已由 {who} {verb}。",
  "announce.undo": "不是我 – 撤销",
  "announce.title": "自您上次查看以来在别处做出的决定",
  "announce.more": "另有 {count} 项",
  "announce.mine": "都是我做的",
  "done.approve": "批准",
  "done.reject": "拒绝",
  "done.reconsider": "重新考虑",
  "done.disable": "停用",
  "done.enable": "启用",
  "done.rollback": "回滚",
  "done.defer": "搁置",
  "done.forget": "遗忘",
  "done.refused": "列为一次被拒绝的决定的对象",
  "seen.line": "见过 {sequences}，未提出提案。",
  "seen.why": "为什么？",
  "seen.title": "见过但未提出：{sequences}",
  "seen.none": "没有见过尚未提出的序列。",
  "seen.because": "原因：",

  "kata.digest": "指纹",
  "kata.seen": "在 {days}的 {conversations}中见过 {times}",
  "kata.changed": "最近变化",
  "kata.tabs": "此例行流程的各部分",
  "tab.plan": "计划",
  "tab.versions": "版本与差异",
  "tab.runs": "执行记录",
  "tab.evidence": "依据",
  "tab.audit": "审计",
  "trouble.stale": "需复核：它所依赖的东西已改变。智能体现在无法使用它。",
  "trouble.suspended": "已暂停：它连续执行失败。智能体现在无法使用它。",
  "warnings": "决定之前请注意（{count}）",
  "warnings.later": "值得了解（{count}）",

  "verb.review": "审阅",
  "verb.approve": "批准",
  "verb.approve.asks": "批准…",
  "verb.reject": "拒绝",
  "verb.reject.asks": "拒绝或搁置…",
  "verb.defer": "搁置",
  "verb.disable": "停用",
  "verb.enable": "启用",
  "verb.reconsider": "重新考虑",
  "verb.undo": "撤销",
  "verb.restore": "恢复 v{version}",
  "verb.pause": "暂停",
  "verb.resume": "继续记录",
  "verb.mine": "立即查找",

  "plan.would_run": "将执行 {steps}",
  "plan.needs": "需要 {inputs}",
  "plan.asks": "每次执行都会请求批准",
  "plan.asks_not": "执行时不再询问",
  "plan.stops": "使用这些值时，执行会停在步骤 {step}",
  "plan.effect_was": "审阅时为{effect}",
  "plan.exceeds": "它超出了审阅时的范围：执行会在此步骤之前停止。",
  "plan.loop": "对其中每一项：",
  "plan.loop_limit": "（最多 {limit} 次）",
  "plan.only_if": "仅当",
  "plan.accepts": "除 0 外也算成功的退出码：{codes}",
  "plan.legend": "符号说明",
  "plan.is_input": "每次调用时给出",
  "plan.is_reference": "来自之前的步骤",
  "values.title": "用我的值",
  "values.text": "输入一个值，看看会执行什么。不会真正执行。",
  "values.none": "它不需要输入参数：总是按所示执行。",
  "values.like": "例如 {examples}",
  "type.string": "文本",
  "type.integer": "整数",
  "type.number": "数字",
  "type.boolean": "是或否",
  "type.array": "列表（JSON）",
  "type.object": "对象（JSON）",
  "type.null": "空",
  "type.any": "任意",
  "why.word": "原因",
  "why.values": "背后有 {count} 个不同的值。",
  "why.else": "也可能是：",
  "became.constant": "每次都相同",
  "became.input": "输入参数",
  "became.reference": "来自之前的步骤",
  "became.text": "由多个部分组成的文本",
  "became.ignored": "已略去",
  "became.": "未注明",

  "checks.title": "检查：",
  "checks.line": "{passed} 项通过，{warnings} 项警告，{rest} 项未通过",
  "check.passed": "通过",
  "check.warning": "警告",
  "check.failed": "失败",
  "check.not_run": "未执行",

  "ask.approve": "批准 {name}",
  "ask.reject": "拒绝或搁置 {name}",
  "ask.disable": "停用 {name}",
  "ask.disable.text": "智能体将无法再使用它。您可以重新启用。",
  "ask.enable": "启用 {name}",
  "ask.enable.text": "先重新检查，然后智能体可以再次使用它。",
  "ask.reconsider": "重新考虑 {name}",
  "ask.reconsider.text": "它将再次成为提案并等待您处理。",
  "ask.rollback": "将 {name} 回滚到版本 {version}",
  "ask.undo": "撤销关于 {name} 的最近一次决定",
  "ask.pause": "暂停记录",
  "ask.pause.text": "暂停期间 Kata 不记录也不学习。已启用的例行流程仍可执行。",
  "pause.for": "持续多久",
  "pause.15": "15 分钟",
  "pause.60": "1 小时",
  "pause.480": "8 小时",
  "pause.1440": "1 天",
  "pause.open": "直到我继续",
  "approve.text": "智能体将获得工具 {name}：版本 {version}，指纹 {digest}，与您所读完全一致。",
  "approve.outside": "这些步骤会影响外部。请逐一勾选您允许的步骤：",
  "approve.step": "步骤 {step}",
  "approve.source": "第 {step} 步：{path} 的来源",
  "approve.source.hint": "每次都有多个结果含有这个值。有副作用的步骤依赖它，因此须由你选择。",
  "approve.source.none": "请选择…",
  "approve.source.shown": "按计划所示",
  "approve.name": "名称",
  "approve.name.hint": "智能体以 kata_ 加此名称来调用它。",
  "approve.name.bad": "小写字母、数字和下划线，以字母开头，最多 40 个字符。",
  "approve.use": "使用 {name}",
  "approve.renames": "重命名输入参数",
  "note.label": "备注（可选）",
  "note.asked": "备注：为什么可以这样做？",
  "note.hint": "会记入审计日志。",
  "until.legend": "到什么时候？",
  "until.forever": "永久：拒绝。除非您重新考虑，否则不再提出",
  "until.changed": "直到它发生变化",
  "until.seen": "直到又在这么多会话中见到：",
  "until.seen.count": "会话数",
  "until.date": "直到某一天：",
  "until.date.day": "日期",
  "until.told": "直到 {until}",
  "stale.title": "在您阅读时发生了变化",
  "stale.again": "重新审阅 {name}",
  "conflict.by": "有人先做了决定：现在是 {state}，由 {by} 更改。",
  "conflict.look": "您没有改变任何东西。请关闭后重新查看。",
  "rollback.unsound": "它现在未通过检查，因此无法恢复。",
  "undo.disable": "它将被停用：智能体无法再使用它。",
  "undo.enable": "重新检查后，它将再次启用。",
  "undo.reconsider": "它将再次成为提案。",
  "undo.reject": "它将再次被拒绝。",
  "undo.rollback": "重新检查后，版本 {version} 将再次成为启用的版本。",
  "undo.defer": "它将再次出现在提案中。",
  "decided.approve": "已批准 {name}。",
  "decided.reject": "已拒绝 {name}。",
  "decided.defer": "已搁置 {name}。",
  "decided.disable": "已停用 {name}。",
  "decided.enable": "已启用 {name}。",
  "decided.reconsider": "{name} 再次成为提案。",
  "decided.rollback": "{name} 已回到版本 {version}。",
  "visible.search": "智能体现在即可通过工具搜索使用它。",
  "visible.next_session": "智能体从下一个会话起可以看到它。",

  "versions.title": "版本",
  "versions.only": "只有一个版本；没有可比较的。",
  "versions.preview": "预览回滚",
  "version.active": "已启用",
  "version.waits": "等待审阅",
  "version.approved": "曾被批准",
  "cause.proposal": "首次提案",
  "cause.choice": "选择了其他来源",
  "cause.schema": "某个工具的模式已改变",
  "cause.evidence": "新的依据",
  "diff.title": "差异",
  "diff.from": "从版本",
  "diff.to": "到版本",
  "diff.effects": "之前的副作用：{before}。之后：{after}。",
  "diff.same": "执行内容没有差异。",
  "diff.unchanged": "{steps}未变。",
  "diff.inputs": "输入参数",
  "diff.step.added": "新增步骤 {number}",
  "diff.step.removed": "删除步骤 {number}",
  "diff.step.changed": "修改步骤 {number}",
  "diff.becomes": "变为",
  "diff.was": "从",
  "diff.is": "改为",

  "runs.title": "{runs}",
  "runs.none": "尚无执行",
  "runs.empty": "尚无执行记录。智能体一调用此工具，这里就会显示。",
  "runs.new_version": "新版本",
  "runs.at_step": "步骤 {step}",
  "run.back": "执行记录",
  "run.session": "会话",
  "run.inputs": "输入参数",
  "run.view": "显示方式",
  "run.view.timeline": "时间线",
  "run.view.compact": "紧凑",
  "run.view.json": "JSON",
  "run.expand": "全部展开",
  "run.collapse": "全部折叠",
  "run.stopped": "执行停止了",
  "run.stopped_at": "执行停在步骤 {step}",
  "run.never_began": "未曾开始",
  "run.times": "于 {at}，用时 {took}",
  "run.attempts": "{count} 次尝试",
  "run.exit": "退出码 {code}",
  "run.given": "给出",
  "run.answered": "返回",
  "run.late": "超时之后才返回",
  "run.acknowledge": "允许重复此次执行",
  "run.acknowledge.do": "允许重复",
  "run.acknowledge.text": "没人知道最后一步是否已生效。请先查看；重复可能会做两次。",
  "run.acknowledged": "已有人允许重复。",
  "advice.step_failed": "请查看下面该步骤的输入与返回。可手动执行，或在修复前停用。",
  "advice.precondition": "该步骤所依赖的条件与记录时不同。请查看前一步骤。",
  "advice.denied": "有人或主机策略拒绝了。之后没有再执行任何步骤。",
  "advice.unattended": "没有人在场批准。请在有人能回应时执行。",
  "advice.vetoed": "另一个插件或主机策略阻止了调用。",
  "advice.effect_exceeded": "使用这些输入参数，调用会超出批准的范围。请检查输入参数。",
  "advice.timeout": "该步骤可能仍已生效。重复之前请先查看。",
  "advice.bad_arguments": "智能体给出的输入参数不合适。没有执行任何步骤。",
  "advice.stopped": "用户停止了它。",
  "advice.other": "下面的步骤显示执行到了哪里。",

  "evidence.title": "依据",
  "evidence.counts": "在 {days}的 {conversations}中见过 {times}。",
  "evidence.fit": "每个会话都被留出检验一次：{fit} % 被完全重现。置信度 {confidence} = {rate} × (1 − 0.6^{support})。",
  "evidence.gone": "其中 {count} 个示例已被遗忘；需要它们的检查无法执行。",
  "evidence.purged": "此示例已被遗忘。",
  "evidence.session": "会话",
  "evidence.open": "在聊天中打开此会话",
  "baseline.title": "手动执行的成本",
  "baseline.none": "手动执行：数据不足。",
  "baseline.line": "手动执行：{what}（{recordings} 次记录的中位数）。",
  "baseline.requests": "{count} 次模型请求",
  "baseline.tokens": "{count} 个 token",
  "baseline.seconds": "{count} 秒",

  "audit.search": "搜索审计日志",
  "audit.placeholder": "关键词，或 actor:alice action:approved kata:2 since:2026-01-31",
  "audit.find": "查找",
  "audit.total": "{events}，全部时间",
  "audit.drop": "移除此筛选",
  "audit.clear": "清除筛选",
  "audit.observations": "也包括仅被观察到的",
  "audit.export": "导出",
  "audit.quick": "快速筛选",
  "audit.quick.all": "全部",
  "audit.quick.people": "人做的决定",
  "audit.quick.kata": "例行流程的变化",
  "audit.quick.runs": "执行记录",
  "audit.fold": "{events}：",
  "audit.none": "还没有发生任何事。",
  "audit.empty": "没有符合 {filters} 的事件。",
  "audit.older": "更早",
  "audit.more": "详情",
  "audit.position": "位置 {position}",
  "audit.run": "查看执行",
  "audit.kata": "kata {number}",
  "facet.actor": "谁",
  "facet.channel": "在哪里",
  "facet.action": "做了什么",
  "facet.kata": "例行流程",
  "event.kata.proposed": "提出",
  "event.kata.revised": "准备了新版本",
  "event.kata.deferred": "搁置",
  "event.kata.approved": "批准",
  "event.kata.rejected": "拒绝",
  "event.kata.reconsidered": "重新考虑",
  "event.kata.went_stale": "标为需复核",
  "event.kata.suspended": "暂停",
  "event.kata.disabled": "停用",
  "event.kata.enabled": "启用",
  "event.kata.rolled_back": "回滚",
  "event.decision.refused": "拒绝了一次决定",
  "event.evidence.kept": "保留了示例",
  "event.notice.shown": "告知了用户",
  "event.tool.registration_failed": "未能注册",
  "event.run.started": "开始执行",
  "event.run.finished": "结束执行",
  "event.run.resumed": "继续执行",
  "event.run.acknowledged": "允许重复执行",
  "event.step.started": "开始步骤",
  "event.step.finished": "结束步骤",
  "event.step.performed": "完成步骤",
  "event.step.answered_late": "迟到的返回",
  "event.mining.completed": "查找例行流程",
  "event.recording.paused": "暂停记录",
  "event.recording.resumed": "继续记录",
  "event.observations.lost": "丢失了观察",
  "event.history.expired": "历史到期",
  "event.history.forgotten": "遗忘历史",
  "event.import.finished": "导入历史",
  "event.log.restored": "恢复日志",
  "event.fingerprint.rebased": "更新指纹密钥",

  "mine.label": "正在查找例行流程",
  "mine.begins": "正在查找例行流程…",
  "mine.progress": "正在查找例行流程：{share} %（{done} / {total}）",
  "mine.cancelled": "已取消。之前找到的保留。",
  "mine.failed": "查找例行流程失败",
  "mine.done": "查看了 {conversations}中的 {calls}：提出 {proposed} 个。",
  "mine.seen": "见过 {sequences}，未提出：{why}。",

  "help.title": "帮助与按键",
  "help.about": "Kata 发现智能体重复的例行流程，并把每个提议为一个工具。未经您批准，任何东西都不会作为工具执行；每个决定都记入审计日志，并可撤销。",
  "help.keys": "单键快捷键已开启",
  "key.next": "下一项",
  "key.previous": "上一项",
  "key.open": "打开",
  "key.approve": "批准（先询问）",
  "key.reject": "拒绝（先询问）",
  "key.diff": "版本与差异",
  "key.filter": "搜索审计日志",
  "key.help": "此帮助",
  "key.back": "返回",

  "fail.session": "您的仪表板会话已结束（服务器已重启）。",
  "fail.session.text": "请重新加载页面后继续。没有任何更改。",
  "fail.missing": "Kata 的 API 未挂载",
  "fail.missing.text": "请重启 `hermes dashboard`；并确认 kata 在 plugins.enabled 中。",
  "fail.absent": "没有这样的东西",
  "fail.absent.text": "它不在这里，或已不在这里。",
  "fail.refused": "被拒绝：需要由人来做",
  "fail.refused.text": "批准必须由人做出。",
  "fail.conflict": "现在无法进行",
  "fail.conflict.text": "当前状态不允许这样做。",
  "fail.invalid": "请求不正确",
  "fail.invalid.text": "发送的内容有一部分不合适。",
  "fail.store": "现在无法读取或写入 Kata 的日志",
  "fail.store.text": "它可能被锁定、已满或已损坏。智能体不受影响。",
  "fail.fault": "Kata 内部出错",
  "fail.fault.text": "服务器日志中有更多信息。没有做出任何决定。",
  "fail.strange": "服务器返回的不是数据",
  "fail.strange.text": "中间可能有登录页或代理。请重新登录，或重启仪表板。",
  "fail.offline": "无法连接仪表板服务器",
  "fail.offline.text": "`hermes dashboard` 在运行吗？",
};

// words.js
// Every word that a person reads, in the language that they chose; per key, what is missing falls back to English.


const CATALOGUES = { en: EN, zh: ZH };
let chain = [EN];
let tag = "en";

/** The catalogues to look in, best first: zh-CN, zh, en; zh-Hant, zh, en. */
function chainFor(locale) {
  const parts = String(locale).toLowerCase().replace("_", "-").split("-");
  const names = parts.map((_, index) => parts.slice(0, parts.length - index).join("-"));
  return [...names.filter((name) => CATALOGUES[name] && name !== "en").map((name) => CATALOGUES[name]), EN];
}

/** Speak this language from now on. */
function speak(locale) {
  chain = chainFor(locale);
  tag = locale;
}

/** The language tag for dates and numbers. */
function language() {
  return tag;
}

/** A message with its values filled in. */
function say(key, values) {
  const found = chain.find((one) => one[key] !== undefined);
  const message = found ? found[key] : key;
  return message.replace(/\{(\w+)\}/g, (whole, name) => (values && values[name] !== undefined ? String(values[name]) : whole));
}

/** Tell whether there is such a message. */
function has(key) {
  return EN[key] !== undefined;
}

/** A word of a closed list (an effect, a state); a word that is not in it stays as it is. */
function word(kind, value) {
  return has(kind + "." + value) ? say(kind + "." + value) : String(value);
}

/** "1 call", "3 calls". */
function count(kind, number) {
  return say("count." + kind + (number === 1 ? "" : "s"), { count: number.toLocaleString(safeTag()) });
}

function safeTag() {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return "en";
  }
}

// parts.js
// Small parts that every page uses.


const EFFECTS = ["read", "network_read", "local_write", "external", "unknown"];
const ASKS = ["external", "unknown"];
const SHAPES = { read: "○", network_read: "◐", local_write: "■", external: "▲", unknown: "◆" };
const OUTCOMES = { succeeded: "✓", failed: "✗", blocked: "⊘", unknown: "◆", skipped: "–", "": "…" };

/** Join class names that are set. */
function classes(...names) {
  return names.filter(Boolean).join(" ");
}

function Button({ kind, busy, children, ...rest }) {
  return h(
    "button",
    { type: "button", className: classes("kata-button", kind && "kata-" + kind), "aria-busy": busy || undefined, ...rest },
    children,
  );
}

/** A link that looks like a button. */
function Go({ place, kind, children, ...rest }) {
  return h("a", { className: classes("kata-button", kind && "kata-" + kind), ...linkTo(place), ...rest }, children);
}

/** A side-effect class: its word, its shape, its colour; the word is enough. */
function Effect({ effect, step, title }) {
  const said = step ? say("effect.of_step", { step, what: say("effect.says." + effect) }) : undefined;
  return h(
    "span",
    { className: "kata-badge kata-effect-" + effect, title: title || say("effect.says." + effect) },
    h("span", { "aria-hidden": true, className: "kata-shape" }, SHAPES[effect] || SHAPES.unknown),
    word("effect", effect),
    said && h("span", { className: "kata-unseen" }, " – " + said),
  );
}

function EffectRow({ effects }) {
  return h("span", { className: "kata-row-tight" }, ...effects.map((effect) => h(Effect, { key: effect, effect })));
}

/** "2 read, 1 external". */
function effectCounts(counts) {
  return counts.map(([effect, number]) => number + " " + word("effect", effect)).join(", ");
}

function StateBadge({ state }) {
  return h("span", { className: "kata-badge kata-state-" + state }, word("state", state));
}

function Outcome({ outcome }) {
  const name = outcome || "running";
  return h(
    "span",
    { className: "kata-badge kata-outcome-" + name },
    h("span", { "aria-hidden": true, className: "kata-shape" }, OUTCOMES[outcome || ""] || "…"),
    word("outcome", name),
  );
}

/** Who it was, and where. */
function actorText(actor) {
  return say("actor.at", { who: actor.id, where: word("surface", actor.surface) });
}

/** "search_files → terminal ×2": the tools of a kata in one line. */
function stepsText(steps) {
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
function brief(value, longest = 120) {
  const told = typeof value === "string" ? value : JSON.stringify(value);
  if (told === undefined) return "";
  return told.length > longest ? told.slice(0, longest - 1) + "…" : told;
}

function Json({ value }) {
  return h("pre", { className: "kata-json", tabIndex: 0 }, h(Agent, { text: JSON.stringify(value, null, 2) }));
}

/** Copy a text; says so for a moment. */
function Copy({ text, children, kind = "quiet" }) {
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

function copyLink() {
  return h(Copy, { text: window.location.href }, say("copy.link"));
}

/** A heading with a section below it. */
function Section({ title, aside, id, children }) {
  return h(
    "section",
    { className: "kata-section", "aria-labelledby": id },
    h("div", { className: "kata-section-head" }, h("h2", { id }, title), aside),
    children,
  );
}

function Note({ kind = "plain", role, title, children }) {
  return h(
    "div",
    { className: "kata-note kata-note-" + kind, role },
    title && h("strong", { className: "kata-note-title" }, title),
    children,
  );
}

/** Rows that are waiting: nothing moves until one asks for them. */
function Waiting({ number, onShow }) {
  return h(
    "div",
    { className: "kata-waiting", role: "status" },
    number > 0 && h(Button, { kind: "primary", onClick: onShow }, say("news", { count: count("event", number) })),
  );
}

function Loading() {
  return h("p", { className: "kata-loading", role: "status" }, say("loading"));
}

/** A fault in drawing stays inside the tab. */
function makeBoundary() {
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

// failures.js
// What went wrong, in words, with what to do about it (every kind of failure has all three).


const RESTART = "hermes dashboard";

/** A card for an error of the API. */
function Failure({ error, onRetry }) {
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
function conflictText(error) {
  const told = error.told;
  return told.by ? say("conflict.by", { state: told.state, by: typeof told.by === "string" ? told.by : actorText(told.by) }) : error.message;
}

// live.js
// News: what happened since the page was read. Nothing moves under the pointer; it says "3 new" instead.


const EVERY_MS = 1200;
const listeners = new Set();
let position = null;

/** Start from the log's end: what this page just did itself is no news to it. */
function catchUp() {
  position = null;
}

/** Ask for news again and again while the page is seen; returns what stops it. */
function follow() {
  let timer = 0;
  let stopped = false;
  async function ask() {
    if (document.visibilityState === "visible") await once();
    if (!stopped) timer = window.setTimeout(ask, EVERY_MS);
  }
  ask();
  return () => {
    stopped = true;
    window.clearTimeout(timer);
  };
}

async function once() {
  const since = position;
  try {
    const tail = (await get("events", { after: since })).data;
    // While we asked, a decision of our own may have said: start anew.
    if (since !== null && position === since && tail.rows.length) listeners.forEach((tell) => tell(tail.rows));
    if (position === since) position = tail.position;
  } catch {
    // What is wrong with the server is told by what the person asks for.
  }
}

/** Tell whether the pointer or the focus is in something that must not move. */
function isHeld() {
  return document.querySelector(".kata-still:hover, .kata-still:focus-within") !== null;
}

/**
 * Data that stay fresh: loaded for a key, again when something happened, and never under the pointer.
 * Returns `data`, `error`, `loading`, `waiting` (rows not shown yet) and `reload`.
 */
function useFresh(key, load) {
  const [state, setState] = useState({ key, data: null, error: null, loading: true });
  const [waiting, setWaiting] = useState(0);
  const latest = useRef(null);
  const loader = useRef(load);
  loader.current = load;

  const reload = useCallback(async () => {
    const turn = (latest.current = {});
    setWaiting(0);
    try {
      const data = await loader.current();
      if (latest.current === turn) setState({ key, data, error: null, loading: false });
    } catch (error) {
      if (latest.current === turn) setState((old) => ({ key, data: old.key === key ? old.data : null, error, loading: false }));
    }
  }, [key]);

  useEffect(() => {
    setState((old) => ({ key, data: old.key === key ? old.data : null, error: null, loading: true }));
    reload();
    return () => {
      latest.current = null;
    };
  }, [key, reload]);

  useEffect(() => {
    const tell = (rows) => (isHeld() ? setWaiting((old) => old + rows.length) : reload());
    listeners.add(tell);
    return () => listeners.delete(tell);
  }, [reload]);

  const mine = state.key === key ? state : { data: null, error: null, loading: true };
  return { ...mine, waiting, reload };
}

// times.js
// Moments and spans for people.


const STEPS = [[60, "seconds", 1], [3600, "minutes", 60], [86400, "hours", 3600], [Infinity, "days", 86400]];

/** "2 h ago"; a moment to come as its clock time. */
function ago(moment, now = Date.now()) {
  const seconds = Math.round((now - new Date(moment).getTime()) / 1000);
  if (seconds < -60) return clock(moment);
  if (seconds < 10) return say("time.now");
  const [, unit, size] = STEPS.find(([limit]) => seconds < limit);
  return say("time." + unit, { count: Math.floor(seconds / size) });
}

/** The whole moment, in the person's own zone. */
function whole(moment) {
  return new Date(moment).toLocaleString(safeTag(), { dateStyle: "medium", timeStyle: "medium" });
}

function clock(moment) {
  const at = new Date(moment);
  const today = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(safeTag(), today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

function day(moment) {
  return new Date(moment).toLocaleDateString(safeTag(), { weekday: "long", year: "numeric", month: "long", day: "numeric" });
}

/** "340 ms", "2.4 s", "3 min 5 s". */
function span(ms) {
  if (ms === null || ms === undefined) return "–";
  if (ms < 1000) return say("span.ms", { count: Math.round(ms) });
  if (ms < 60000) return say("span.s", { count: (ms / 1000).toFixed(1) });
  return say("span.min", { minutes: Math.floor(ms / 60000), seconds: Math.round((ms % 60000) / 1000) });
}

/** A moment: short to read, whole for machines and on hover. */
function Moment({ at, short = ago }) {
  if (!at) return h("span", null, say("time.never"));
  return h("time", { dateTime: at, title: whole(at) }, short(at));
}

// audit.js
// Who did what: all time, newest first, by facet and by word, with the filter in the address.


const WORDS = { actor: "actor", action: "action", channel: "channel", kata: "about", since: "since", until: "until" };
const FACETS = [["actor", "actor"], ["channel", "channel"], ["action", "action"], ["kata", "about"]];
const LIMIT = 50;
const QUICK = [["all", {}], ["people", { actor: "human" }], ["kata", { action: "kata" }], ["runs", { action: "run.finished" }]];
// What happens by itself in great number: a row of such is folded, unless one looks for it.
const SMALL = ["evidence.kept", "step.started", "step.finished", "step.performed", "run.started", "notice.shown", "mining.completed"];

/** The filter as the API takes it. */
function queryOf(route) {
  return {
    actor: route.actor,
    action: route.action,
    channel: route.channel,
    kata: route.about,
    since: momentOf(route.since),
    until: momentOf(route.until),
    text: route.q,
    observations: route.observations ? true : undefined,
  };
}

function momentOf(typed) {
  if (!typed) return undefined;
  const at = new Date(/^\d{4}-\d\d-\d\d$/.test(typed) ? typed + "T00:00" : typed);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Cut what was typed into filters (`actor:x`) and free words. */
function readWords(typed) {
  const found = { q: [] };
  typed.split(/\s+/).filter(Boolean).forEach((one) => {
    const match = /^(actor|action|channel|kata|since|until)[:：](.+)$/.exec(one);
    if (match) found[WORDS[match[1]]] = match[2];
    else found.q.push(one);
  });
  return { ...found, q: found.q.join(" ") };
}

/** The timeline; `number` keeps it to one kata. */
function AuditPage({ route, number }) {
  const asked = number ? { ...route, about: number } : route;
  const query = queryOf(asked);
  const key = "audit " + JSON.stringify(query);
  const [older, setOlder] = useState({ key, rows: [], next: null });
  const { data, error, loading, waiting, reload } = useFresh(key, async () => (await get("audit", { ...query, limit: LIMIT })).data);
  const mine = older.key === key ? older : { key, rows: [], next: null };
  const next = mine.rows.length ? mine.next : data && data.next_before;
  async function more() {
    const page = (await get("audit", { ...query, limit: LIMIT, before: next })).data;
    setOlder({ key, rows: [...mine.rows, ...page.rows], next: page.next_before });
  }
  const place = number ? { kata: number, tab: "audit" } : { view: "audit" };
  const rows = data ? [...data.rows, ...mine.rows.filter((row) => !data.rows.some((other) => other.position === row.position))] : [];
  return h(
    "div",
    { className: classes("kata-audit", (number || !hasFacets(data)) && "kata-audit-narrow") },
    h(Search, { route, place, query, total: data ? data.total : 0 }),
    !number && hasFacets(data) && h(Facets, { facets: data.facets, route, place }),
    h(
      "div",
      { className: "kata-audit-rows" },
      h(Waiting, { number: waiting, onShow: reload }),
      !data && (loading ? h(Loading) : h(Failure, { error, onRetry: reload })),
      data && rows.length === 0 && h(Nothing, { route, place }),
      h(Days, { rows, route, place }),
      next && h(Older, { key: next, onMore: more }),
    ),
  );
}

function hasFacets(data) {
  return Boolean(data && data.rows.length);
}

function chosen(route) {
  return FILTERS.filter((key) => route[key]);
}

function filterText(route, key) {
  const name = Object.keys(WORDS).find((one) => WORDS[one] === key);
  return key === "q" ? "“" + route.q + "”" : name + ":" + route[key];
}

function without(route, keys) {
  const rest = { ...route };
  keys.forEach((key) => delete rest[key]);
  return rest;
}

function Search({ route, place, query, total }) {
  const [typed, setTyped] = useState(route.q || "");
  useEffect(() => setTyped(route.q || ""), [route.q]);
  function find(event) {
    event.preventDefault();
    const words = readWords(typed);
    go({ ...without(route, ["event"]), ...place, ...words });
  }
  const filters = chosen(route);
  return h(
    "div",
    { className: "kata-search" },
    h(
      "form",
      { role: "search", className: "kata-row", onSubmit: find },
      h("input", { id: "kata-filter", className: "kata-input kata-grow", type: "search", value: typed, placeholder: say("audit.placeholder"), "aria-label": say("audit.search"), onChange: (event) => setTyped(event.target.value) }),
      h("button", { type: "submit", className: "kata-button" }, say("audit.find")),
      copyLink(),
      h(Export, { query }),
    ),
    h("div", { className: "kata-row-tight", role: "group", "aria-label": say("audit.quick") }, ...QUICK.map(([name, filter]) => h(Quick, { key: name, name, filter, route, place }))),
    h(
      "div",
      { className: "kata-row", role: "status" },
      h("span", { className: "kata-dim" }, say("audit.total", { events: count("event", total) })),
      ...filters.map((key) => h("a", { key, className: "kata-chip", title: say("audit.drop"), ...linkTo({ ...place, ...without(route, [key, "event"]) }) }, h(Agent, { text: filterText(route, key) }), h("span", { "aria-hidden": true }, " ×"))),
      filters.length > 0 && h("a", { className: "kata-link", ...linkTo(place) }, say("audit.clear")),
      h("label", { className: "kata-choice kata-inline" }, h("input", { type: "checkbox", checked: Boolean(route.observations), onChange: (event) => go({ ...route, ...place, observations: event.target.checked ? "1" : "" }) }), h("span", null, say("audit.observations"))),
    ),
  );
}

function Quick({ name, filter, route, place }) {
  const keys = ["actor", "action"];
  const on = keys.every((key) => (route[key] || "") === (filter[key] || ""));
  return h("a", { className: classes("kata-chip", on && "kata-chip-on"), "aria-current": on || undefined, ...linkTo({ ...without(route, [...keys, "event"]), ...place, ...filter }) }, say("audit.quick." + name));
}

/** A button that saves an answer of the API as a file. */
function Save({ path, query, name, type }) {
  const [error, setError] = useState(null);
  async function save() {
    try {
      const content = await download(path, query);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([content], { type }));
      link.download = name;
      link.click();
      window.setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      setError(null);
    } catch (failed) {
      setError(failed);
    }
  }
  return h("span", null, h(Button, { kind: "quiet", onClick: save }, say("audit.export")), error && h(Failure, { error }));
}

function Export({ query }) {
  const name = "kata-audit" + (profile() ? "-" + profile() : "") + ".ndjson";
  return h(Save, { path: "audit/export", query, name, type: "application/x-ndjson" });
}

function Facets({ facets, route, place }) {
  const found = Object.fromEntries(facets);
  return h(
    "div",
    { className: "kata-facets kata-still" },
    ...FACETS.filter(([name]) => (found[name] || []).length).map(([name, key]) =>
      h(
        "details",
        { key: name, open: Boolean(route[key]) || (name !== "kata" && isWide()) },
        h("summary", null, say("facet." + name)),
        h("ul", null, ...found[name].slice(0, 12).map((one) => h("li", { key: one.value }, h(FacetLink, { one, name, on: route[key] === one.value, place: { ...without(route, [key, "event"]), ...place, [key]: route[key] === one.value ? "" : one.value } })))),
      ),
    ),
  );
}

function isWide() {
  return !window.matchMedia || window.matchMedia("(min-width: 52rem)").matches;
}

function FacetLink({ one, name, on, place }) {
  const shown = { action: () => actionText(one.value), channel: () => word("surface", one.value), kata: () => say("audit.kata", { number: one.value }) }[name];
  return h("a", { className: classes("kata-facet", on && "kata-facet-on"), "aria-current": on || undefined, ...linkTo(place) }, h("span", { className: "kata-facet-name" }, h(Agent, { text: shown ? shown() : one.value })), h("span", { className: "kata-count" }, one.count));
}

function Nothing({ route, place }) {
  const filters = chosen(route);
  if (!filters.length) return h("p", null, say("audit.none"));
  return h("p", null, say("audit.empty", { filters: filters.map((key) => filterText(route, key)).join(" ") }), " ", h("a", { className: "kata-button", ...linkTo(place) }, say("audit.clear")));
}

function Days({ rows, route, place }) {
  const days = [];
  rows.forEach((row) => {
    const name = day(row.at);
    const last = days[days.length - 1];
    if (last && last.name === name) last.rows.push(row);
    else days.push({ name, rows: [row] });
  });
  const draw = (row) => h(Row, { key: row.position, row, shown: route.event === String(row.position), place: { ...route, ...place } });
  return h(
    "div",
    { className: "kata-still" },
    ...days.map((one) =>
      h(
        "section",
        { key: one.name, className: "kata-day" },
        h("h3", null, one.name),
        h("ol", { className: "kata-timeline" }, ...folded(one.rows, route).map((group) => (group.length === 1 ? draw(group[0]) : h(Fold, { key: group[0].position, group, draw })))),
      ),
    ),
  );
}

/** Rows in groups: small ones that follow each other together, all others alone. */
function folded(rows, route) {
  if (route.action || route.event || route.q) return rows.map((row) => [row]);
  const groups = [];
  rows.forEach((row) => {
    const last = groups[groups.length - 1];
    const small = SMALL.includes(row.action);
    if (small && last && last.small) last.rows.push(row);
    else groups.push({ small, rows: [row] });
  });
  return groups.map((group) => group.rows);
}

function Fold({ group, draw }) {
  const names = [...new Set(group.map((row) => actionText(row.action)))].join(", ");
  return h("li", { className: "kata-fold" }, h("details", null, h("summary", { "data-item": true }, say("audit.fold", { events: count("event", group.length) }), " ", names), h("ol", { className: "kata-timeline" }, ...group.map(draw))));
}

function Row({ row, shown, place }) {
  const item = useRef(null);
  useEffect(() => {
    if (shown && item.current) item.current.scrollIntoView({ block: "center" });
  }, [shown]);
  const reason = row.fields.note || row.fields.why || row.fields.reason;
  return h(
    "li",
    { ref: item, className: classes("kata-event", "kata-actor-" + row.actor.kind, shown && "kata-shown") },
    h(Moment, { at: row.at, short: timeOnly }),
    h(
      "div",
      null,
      h("span", { className: "kata-action" }, actionText(row.action)),
      row.number !== null && h("a", { className: "kata-link", ...linkTo({ kata: row.number }) }, row.number + " ", h(Agent, { text: row.name })),
      detailText(row) && h("span", { className: "kata-dim" }, " ", h(Agent, { text: detailText(row), line: true })),
      reason && h("blockquote", null, h(Agent, { text: reason })),
    ),
    h("span", { className: "kata-dim kata-who" }, word("kind", row.actor.kind), " ", h(Agent, { text: actorText(row.actor), line: true })),
    h(More, { row, shown, place }),
  );
}

function timeOnly(moment) {
  return new Date(moment).toLocaleTimeString();
}

function More({ row, shown, place }) {
  const link = window.location.origin + href({ ...place, event: row.position });
  return h(
    "details",
    { className: "kata-why", open: shown },
    h("summary", { "data-item": true }, say("audit.more"), h("span", { className: "kata-unseen" }, " " + actionText(row.action) + " " + whole(row.at))),
    h("p", { className: "kata-dim" }, say("audit.position", { position: row.position }), " · ", h("code", null, row.action), " · ", whole(row.at)),
    h("div", { className: "kata-row" }, h(Copy, { text: link }, say("copy.link")), row.fields.run_id && h("a", { className: "kata-link", ...linkTo({ view: "runs", run: row.fields.run_id }) }, say("audit.run"))),
    h(Json, { value: row.fields }),
  );
}

/** An action in words; an event type that is not known stays as it is. */
function actionText(action) {
  return has("event." + action) ? say("event." + action) : action;
}

const SAID = ["version", "outcome", "code", "verb", "cause"];

function detailText(row) {
  const told = SAID.filter((key) => row.fields[key] !== undefined && row.fields[key] !== "" && row.fields[key] !== null).map((key) => (key === "version" ? "v" + row.fields.version : key === "outcome" ? word("outcome", row.fields.outcome) : String(row.fields[key])));
  const until = row.fields.until;
  if (typeof until === "string") told.push(say("until.told", { until: clock(until) }));
  if (Array.isArray(row.fields.changes)) told.push(row.fields.changes.join("; "));
  return told.join(" · ");
}

/** Older rows: by the button, or by coming near the end of the page. */
function Older({ onMore }) {
  const button = useRef(null);
  const [busy, setBusy] = useState(false);
  async function more() {
    setBusy(true);
    try {
      await onMore();
    } catch {
      setBusy(false);
    }
  }
  useEffect(() => {
    if (!window.IntersectionObserver) return undefined;
    const watcher = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && button.current && button.current.click());
    watcher.observe(button.current);
    return () => watcher.disconnect();
  }, []);
  return h("button", { ref: button, type: "button", className: "kata-button", disabled: busy, onClick: more }, say(busy ? "loading" : "audit.older"));
}


// dialog.js
// A dialog: the browser's own, so that focus stays inside, Esc closes, and the rest of the page is inert.


function Dialog({ title, onClose, actions, children, wide, leave }) {
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
function Field({ id, label, hint, problem, children }) {
  return h(
    "div",
    { className: "kata-field" },
    h("label", { htmlFor: id }, label),
    children,
    hint && h("p", { id: id + "-hint", className: "kata-hint" }, hint),
    h("p", { id: id + "-problem", className: "kata-problem", role: "status" }, problem || ""),
  );
}

function NoteField({ value, onChange, asked }) {
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
function Question({ title, answer, kind = "primary", busy, failure, onAnswer, onClose, children }) {
  return h(
    Dialog,
    { title, onClose, actions: h(Button, { kind, busy, disabled: busy, onClick: onAnswer }, answer) },
    children,
    failure,
  );
}

// toast.js
// What was just done, for ten seconds, with a way back.


const SHOWN_MS = 10000;
let tell = () => {};
let number = 0;

/** Show a message; `undo` is called when the person takes it back. */
function toast(message, undo) {
  tell({ message, undo, id: ++number });
}

function Toasts() {
  const [shown, setShown] = useState(null);
  useEffect(() => {
    tell = setShown;
    return () => {
      tell = () => {};
    };
  }, []);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = window.setTimeout(() => setShown(null), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [shown]);
  function back() {
    setShown(null);
    shown.undo();
  }
  return h(
    "div",
    { className: "kata-toasts", role: "status", "aria-live": "polite" },
    shown &&
      h(
        "div",
        { className: "kata-toast", key: shown.id },
        h("span", null, shown.message),
        shown.undo && h(Button, { kind: "quiet", onClick: back }, say("verb.undo")),
        h(Button, { kind: "quiet", "aria-label": say("close"), onClick: () => setShown(null) }, "×"),
      ),
  );
}

// versions.js
// The versions of a kata, and what differs between two of them; signs and words carry it, not colour alone.


const SIGNS = { added: "+", removed: "−", changed: "±", same: " " };

function VersionsTab({ review, route, onDecide }) {
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

function DiffView({ diff }) {
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

// decide.js
// Decisions: each is asked in a dialog that says what it does, focus on Cancel; Enter in a field decides nothing.


const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/** Make a decision; on success say so, with a way back. */
async function decide(verb, kata, body, onDone) {
  const { data } = await post("katas/" + kata.number + "/" + verb, body);
  catchUp();
  const undo = data.undo ? () => decide("undo", kata, {}, onDone).catch((error) => toast(conflictText(error))) : null;
  toast([say("decided." + (verb === "undo" ? data.verb : verb), { name: data.name, number: data.number, version: data.version }), data.visible && say("visible." + data.visible)].filter(Boolean).join(" "), undo);
  onDone(data);
  return data;
}

/** The dialog for a verb; `asked` is `{ verb, row, version }`, or null for none. */
function Deciding({ asked, onClose, onDone }) {
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
function Warnings({ review }) {
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
function slug(text) {
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
function flat(steps) {
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
function Checks({ checks, open }) {
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

// keys.js
// The keyboard: single keys that can be turned off, and that never act at once on anything that decides.


const SETTING = "kata.keys";
const SHORTCUTS = [["j", "next"], ["k", "previous"], ["Enter", "open"], ["a", "approve"], ["r", "reject"], ["d", "diff"], ["/", "filter"], ["?", "help"], ["Esc", "back"]];

function keysAreOn() {
  try {
    return window.localStorage.getItem(SETTING) !== "off";
  } catch {
    return true;
  }
}

function turnKeys(on) {
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
function useKeys(bound) {
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
function step(by) {
  const items = [...document.querySelectorAll(".kata [data-item]")];
  const at = items.indexOf(document.activeElement);
  const next = items[Math.max(0, Math.min(items.length - 1, at < 0 ? 0 : at + by))];
  if (next) next.focus();
}

/** Whether single keys are on, and how to turn them. */
function useKeysSetting() {
  const [on, setOn] = useState(keysAreOn);
  return [
    on,
    (wanted) => {
      turnKeys(wanted);
      setOn(wanted);
    },
  ];
}

// evidence.js
// What a version rests on: one recorded example for each conversation, and how well it fits.


function EvidenceTab({ review }) {
  const scores = review.scores;
  const gone = review.evidence.filter((one) => !one.kept).length;
  return h(
    "div",
    { className: "kata-page" },
    h(
      Section,
      { title: say("evidence.title"), id: "kata-evidence" },
      h("p", null, say("evidence.counts", { times: count("time", scores.occurrences), conversations: count("conversation", scores.support), days: count("day", review.days) })),
      h("p", null, say("evidence.fit", { fit: Math.round(scores.fit_rate * 100), confidence: scores.confidence.toFixed(2), rate: scores.fit_rate.toFixed(2), support: scores.support })),
      gone > 0 && h("p", { className: "kata-warn-text" }, say("evidence.gone", { count: gone })),
      h("ol", { className: "kata-list" }, ...review.evidence.map((one) => h(Example, { key: one.evidence_id, one }))),
    ),
    h(Section, { title: say("baseline.title"), id: "kata-baseline" }, h("p", null, baselineText(review.baseline))),
  );
}

/** What it costs by hand, with its basis; what is not known is left out. */
function baselineText(base) {
  const told = [["requests", base.model_requests, 1], ["tokens", base.tokens, 0], ["seconds", base.seconds, 1]]
    .filter(([, value]) => value !== null)
    .map(([unit, value, digits]) => say("baseline." + unit, { count: value.toLocaleString(safeTag(), { maximumFractionDigits: digits }) }));
  return base.recordings && told.length ? say("baseline.line", { what: told.join(", "), recordings: base.recordings }) : say("baseline.none");
}

function Example({ one }) {
  if (!one.kept) return h("li", { className: "kata-line kata-dim" }, say("evidence.purged"));
  const chat = "/chat?resume=" + encodeURIComponent(one.session_id);
  return h(
    "li",
    { className: "kata-example" },
    h(
      "details",
      null,
      h("summary", { "data-item": true }, h("time", { dateTime: one.occurred_on }, one.occurred_on), " · ", say("evidence.session"), " ", h("code", null, h(Agent, { text: one.session_id })), " · ", count("call", one.calls.length)),
      h("p", null, h("a", { className: "kata-link", href: chat }, say("evidence.open"))),
      ...one.calls.map((call, index) => h(Call, { key: index, call, number: index + 1 })),
    ),
  );
}

function Call({ call, number }) {
  return h(
    "div",
    { className: "kata-call" },
    h("h3", null, h("span", { className: "kata-number" }, number), " ", h(Agent, { text: call.tool })),
    h(Json, { value: call.args }),
    h("details", null, h("summary", null, say("run.answered")), h(Json, { value: call.result })),
  );
}

// plan.js
// What a version would do, step by step; with my own values the calls and their effects are made anew as I type.


const TYPING_MS = 200;

/** The plan of a version with some values; the last good one stays while the next is made. */
function usePlan(named, version, values) {
  const [state, setState] = useState({ plan: null, error: null });
  const asked = JSON.stringify(values);
  useEffect(() => {
    let gone = false;
    const timer = window.setTimeout(async () => {
      try {
        const { data } = await post("katas/" + named + "/plan", { values, version });
        if (!gone) setState({ plan: data, error: null });
      } catch (error) {
        if (!gone) setState((old) => ({ plan: old.plan, error }));
      }
    }, asked === "{}" ? 0 : TYPING_MS);
    return () => {
      gone = true;
      window.clearTimeout(timer);
    };
  }, [named, version, asked]);
  return state;
}

function PlanTab({ review }) {
  const [typed, setTyped] = useState({});
  const values = useMemo(() => valuesOf(typed, review.inputs), [typed, review.inputs]);
  const { plan, error } = usePlan(review.row.number, review.version, values);
  const matching = plan && plan.digest === review.digest ? plan : null;
  return h(
    "div",
    { className: "kata-plan" },
    h(
      Section,
      { title: titleOf(review), id: "kata-plan", aside: h(Summary, { review, plan: matching }) },
      matching && matching.stops_at && h(Note, { kind: "warn", role: "status", title: say("plan.stops", { step: matching.stops_at }) }, h(Agent, { text: matching.why })),
      h("ol", { className: "kata-steps-list" }, ...review.steps.map((step) => h(Step, { key: step.number, step, planned: find(matching, step.number) }))),
      h(Legend),
    ),
    h(Values, { inputs: review.inputs, typed, onType: setTyped, plan: matching, error }),
  );
}

function titleOf(review) {
  const names = Object.keys(review.inputs.properties || {}).map(marked);
  const steps = say("plan.would_run", { steps: count("step", stepCount(review.steps)) });
  return names.length ? steps + " – " + say("plan.needs", { inputs: names.join(", ") }) : steps;
}

function stepCount(steps) {
  return steps.reduce((sum, step) => sum + (step.body.length || 1), 0);
}

function Summary({ review, plan }) {
  const counts = plan ? plan.effects : review.effects;
  const asks = plan ? plan.asks_each_run : review.asks_each_run;
  return h("p", { className: "kata-dim", role: "status" }, effectCounts(counts), " – ", say(asks ? "plan.asks" : "plan.asks_not"));
}

function find(plan, number) {
  if (!plan) return null;
  const flat = plan.steps.flatMap((step) => (step.body.length ? step.body : [step]));
  return flat.find((step) => step.number === number) || null;
}

function Step({ step, planned }) {
  if (step.body.length) return h(Loop, { step, planned });
  const effect = planned ? planned.effect : step.effect;
  return h(
    "li",
    { className: classes("kata-step", "kata-edge-" + effect), value: step.number },
    h(
      "div",
      { className: "kata-row" },
      h("span", { className: "kata-number" }, step.number),
      h("span", { className: "kata-tool" }, h(Agent, { text: step.tool })),
      h(Effect, { effect, step: step.number, title: (planned && planned.effect_reason) || step.effect_reason }),
      planned && planned.effect !== planned.approved && h("span", { className: "kata-changed" }, say("plan.effect_was", { effect: word("effect", planned.approved) })),
    ),
    h("dl", { className: "kata-arguments" }, ...step.arguments.flatMap((one) => h(Argument, { key: one.path, one, planned: planned && planned.arguments.find((other) => other.path === one.path) }))),
    h(Extras, { step, planned }),
  );
}

function Loop({ step, planned }) {
  return h(
    "li",
    { className: "kata-step kata-loop" },
    h("p", null, say("plan.loop", { over: "" }), " ", h("span", { className: "kata-part-reference" }, h(Agent, { text: step.over })), " ", say("plan.loop_limit", { limit: step.limit })),
    h("ol", { className: "kata-steps-list" }, ...step.body.map((inner) => h(Step, { key: inner.number, step: inner, planned: planned && planned.number === inner.number ? planned : null }))),
  );
}

function Argument({ one, planned }) {
  const parts = planned ? planned.parts : [{ kind: "text", text: one.text }];
  return h(
    "div",
    { className: "kata-argument" },
    h("dt", null, h(Agent, { text: one.path })),
    h("dd", null, h("code", { className: "kata-code" }, ...parts.map((part, index) => h(Part, { key: index, part }))), one.reason && h(Why, { one })),
  );
}

function Part({ part }) {
  if (part.kind === "text") return h(Agent, { text: oneLine(part.text) });
  const shown = part.kind === "input" ? "{" + part.text + "}" : "«" + part.text + "»";
  const title = say(part.kind === "input" ? "plan.is_input" : "plan.is_reference");
  return h("span", { className: "kata-part-" + part.kind, title }, h(Agent, { text: shown, line: true }));
}

/** Why an argument became what it is, with the runners-up. */
function Why({ one }) {
  return h(
    "details",
    { className: "kata-why" },
    h("summary", null, say("why.word"), h("span", { className: "kata-unseen" }, " " + one.path)),
    h("p", null, h("strong", null, word("became", one.became)), " – ", h(Agent, { text: one.reason })),
    one.values > 0 && h("p", { className: "kata-dim" }, say("why.values", { count: one.values })),
    one.alternatives.length > 0 && h("p", null, say("why.else"), " ", h(Agent, { text: one.alternatives.join(" · ") })),
  );
}

function Extras({ step, planned }) {
  const flags = (planned && planned.flags) || step.flags;
  const accepts = step.accepts.filter((code) => code !== 0);
  return h(
    "ul",
    { className: "kata-extras" },
    planned && planned.refused && h("li", { className: "kata-bad-text" }, h(Agent, { text: planned.refused })),
    planned && planned.exceeds && h("li", { className: "kata-bad-text" }, say("plan.exceeds")),
    ...flags.map((flag) => h("li", { key: flag, className: "kata-warn-text" }, "! ", h(Agent, { text: flag }))),
    ...step.requires.map((rule) => h("li", { key: rule }, say("plan.only_if"), " ", h(Agent, { text: rule }))),
    accepts.length > 0 && h("li", null, say("plan.accepts", { codes: accepts.join(", ") })),
  );
}

function Legend() {
  return h(
    "details",
    { className: "kata-legend" },
    h("summary", null, say("plan.legend")),
    h("ul", null, ...EFFECTS.map((effect) => h("li", { key: effect }, h(Effect, { effect }), " ", say("effect.says." + effect)))),
    h("p", null, h("span", { className: "kata-part-input" }, "{branch}"), " ", say("plan.is_input"), " ", h("span", { className: "kata-part-reference" }, "«step 1 · path»"), " ", say("plan.is_reference")),
  );
}

function Values({ inputs, typed, onType, plan, error }) {
  const names = Object.keys(inputs.properties || {});
  return h(
    Section,
    { title: say("values.title"), id: "kata-values" },
    h("p", { className: "kata-dim" }, say(names.length ? "values.text" : "values.none")),
    ...names.map((name) => h(Value, { key: name, name, schema: inputs.properties[name], text: typed[name], plan, onType: (text) => onType({ ...typed, [name]: text }) })),
    error && h(Failure, { error }),
  );
}

function Value({ name, schema, text, plan, onType }) {
  const id = "kata-value-" + name;
  const problem = text && plan && plan.problems.find((one) => one.input === name && !one.missing);
  const choices = schema.enum || (schema.type === "boolean" ? [true, false] : null);
  const shared = { id, className: "kata-input", value: text || "", "aria-describedby": id + "-hint " + id + "-problem", onChange: (event) => onType(event.target.value) };
  const field = choices
    ? h("select", shared, h("option", { value: "" }, "–"), ...choices.map((one) => h("option", { key: String(one), value: String(one) }, String(one))))
    : h("input", { ...shared, spellCheck: false, autoComplete: "off" });
  return h(Field, { id, label: h(Agent, { text: name }), hint: typeText(schema), problem: problem ? h(Agent, { text: problem.message }) : "" }, field);
}

function typeText(schema) {
  const kind = Array.isArray(schema.type) ? schema.type.join(", ") : schema.type || "any";
  const examples = (schema.examples || []).slice(0, 2).map((one) => JSON.stringify(one));
  return [word("type", kind), schema.description, examples.length ? say("values.like", { examples: examples.join(", ") }) : ""].filter(Boolean).join(" · ");
}

/** What was typed, as the values that the inputs' types ask for; an empty field is no value. */
function valuesOf(typed, inputs) {
  const values = {};
  Object.keys(typed).forEach((name) => {
    if (typed[name] !== "" && typed[name] !== undefined) values[name] = valueOf(typed[name], (inputs.properties || {})[name] || {});
  });
  return values;
}

function valueOf(text, schema) {
  const kinds = [].concat(schema.type || []);
  if (kinds.includes("string")) return text;
  if (kinds.includes("integer") && /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text))) return { bigint: text };
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// runs.js
// What compiled tools did: a list, and one run as bars over time, as lines, or as JSON; the failed step comes first to the eye.


const TROUBLED = ["failed", "blocked", "unknown"];

function RunsTab({ number, place }) {
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

function RunPage({ id, back }) {
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

// kata.js
// One kata: what it is and what one may do about it, above; plan, versions, runs, evidence and audit below.


const TABS = ["plan", "versions", "runs", "evidence", "audit"];

function KataPage({ number, route, onDecide }) {
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
function verbs(review) {
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

// mining.js
// Looking for routines: started here, done elsewhere, its progress told politely, and cancelled when one likes.


const ASK_MS = 500;

/** The pass that runs or ran last; `start` and `cancel`. */
function useMining() {
  const [job, setJob] = useState(null);
  const [error, setError] = useState(null);
  const running = job && job.state === "running";
  useEffect(() => {
    get("mine").then((answer) => answer.data && answer.data.state === "running" && setJob(answer.data), () => {});
  }, []);
  useEffect(() => {
    if (!running) return undefined;
    const timer = window.setInterval(() => get("mine/" + job.job).then((answer) => setJob(answer.data), setError), ASK_MS);
    return () => window.clearInterval(timer);
  }, [running, job && job.job]);
  const ask = (path) => post(path).then((answer) => { setError(null); setJob(answer.data); }, setError);
  return { job, error, running, start: () => ask("mine"), cancel: () => ask("mine/" + job.job + "/cancel"), close: () => { setJob(null); setError(null); } };
}

function Mining({ mining }) {
  const { job, error } = mining;
  if (error) return h(Failure, { error, onRetry: mining.start });
  if (!job) return null;
  return h("div", { className: "kata-mining", "aria-live": "polite" }, job.state === "running" ? h(Progress, { job, onCancel: mining.cancel }) : h(Ended, { job, onClose: mining.close }));
}

function Progress({ job, onCancel }) {
  const share = job.total ? Math.floor((100 * job.done) / job.total) : 0;
  return h(
    Note,
    { kind: "plain", title: job.total ? say("mine.progress", { share, done: job.done, total: job.total }) : say("mine.begins") },
    h("div", { className: "kata-row" }, h("progress", { className: "kata-progress kata-grow", max: job.total || 1, value: job.total ? job.done : undefined, "aria-label": say("mine.label") }), h(Button, { onClick: onCancel }, say("cancel"))),
  );
}

function Ended({ job, onClose }) {
  const close = h(Button, { kind: "quiet", onClick: onClose }, say("close"));
  if (job.state === "cancelled") return h(Note, { kind: "plain", title: say("mine.cancelled") }, close);
  if (job.state === "failed") return h(Note, { kind: "bad", role: "alert", title: say("mine.failed") }, h("p", null, job.error.message, " ", job.error.hint), close);
  const found = job.summary;
  const held = {};
  found.seen.forEach((row) => row.blocked_by.forEach((why) => (held[why] = (held[why] || 0) + 1)));
  const told = Object.keys(held).map((why) => held[why] + " " + word("blocked", why)).join(", ");
  return h(
    Note,
    { kind: "good", title: say("mine.done", { calls: count("call", found.calls), conversations: count("conversation", found.conversations), proposed: found.proposed.length }) },
    found.seen.length > 0 && h("p", null, say("mine.seen", { sequences: count("sequence", found.seen.length), why: told })),
    close,
  );
}

// overview.js
// The first page: what needs the person, then what is well, in one line each.


const TOLD = 3;

function OverviewPage({ onDecide }) {
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
function SeenPage() {
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

// app.js
// The whole tab: header, the page that the address names, dialogs and messages.


const VIEWS = ["", "runs", "audit"];

function App() {
  const locale = useLocale();
  const scheme = useScheme();
  speak(locale);
  const route = useRoute();
  const [asked, setAsked] = useState(null);
  const [changed, setChanged] = useState(0);
  const [open, setOpen] = useState("");
  const mining = useMining();
  useEffect(follow, [profile()]);
  const decide = (verb, row, more) => setAsked({ verb, row, ...more });
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    "/": () => toFilter(route),
    "?": () => setOpen("help"),
    Escape: () => route.run || route.kata || route.view ? window.history.length > 1 && back(route) : undefined,
  });
  const page = route.kata || route.view || "";
  return h(
    "div",
    { className: "kata", lang: locale, "data-scheme": scheme, style: { colorScheme: scheme } },
    h(Header, { key: profile(), mining, onOpen: setOpen, route }),
    h(Mining, { mining }),
    h(Page, { key: page + " " + profile() + " " + changed, route, onDecide: decide }),
    h(Deciding, { asked, onClose: () => setAsked(null), onDone: () => setChanged((old) => old + 1) }),
    open === "help" && h(Help, { onClose: () => setOpen("") }),
    open === "pause" && h(Pause, { onClose: () => setOpen(""), onDone: () => setChanged((old) => old + 1) }),
    h(Toasts),
  );
}

/** Whether the theme is light or dark, for what the browser draws itself (scroll bars, date fields). */
function useScheme() {
  const [scheme, setScheme] = useState(schemeNow);
  useEffect(() => {
    const watcher = new MutationObserver(() => setScheme(schemeNow()));
    watcher.observe(document.documentElement, { attributes: true, attributeFilter: ["style", "class"] });
    return () => watcher.disconnect();
  }, []);
  return scheme;
}

function schemeNow() {
  const ground = window.getComputedStyle(document.documentElement).getPropertyValue("--background-base").trim();
  const parts = /^#(..)(..)(..)/.exec(ground);
  if (!parts) return "dark";
  const [red, green, blue] = parts.slice(1).map((part) => parseInt(part, 16));
  return 0.3 * red + 0.59 * green + 0.11 * blue > 128 ? "light" : "dark";
}

/** One level up: from a run to its kata, from a kata to the overview. */
function back(route) {
  if (route.run) return go(route.kata ? { kata: route.kata, tab: "runs" } : { view: "runs" });
  return go({});
}

function toFilter(route) {
  const field = document.getElementById("kata-filter");
  if (field) field.focus();
  else {
    go({ view: "audit" });
    window.setTimeout(() => document.getElementById("kata-filter") && document.getElementById("kata-filter").focus(), 50);
  }
  return route;
}

function Page({ route, onDecide }) {
  if (route.kata) return h(KataPage, { number: route.kata, route, onDecide });
  if (route.view === "audit") return h(AuditPage, { route });
  if (route.view === "seen") return h(SeenPage);
  if (route.run) return h(RunPage, { id: route.run, back: { view: "runs" } });
  if (route.view === "runs") return h(RunsTab, { place: { view: "runs" } });
  return h(OverviewPage, { onDecide });
}

function Header({ mining, onOpen, route }) {
  const { data } = useFresh("status", async () => (await get("status")).data);
  return h(
    "header",
    { className: "kata-header" },
    h("nav", { "aria-label": say("nav.label"), className: "kata-row-tight" }, ...VIEWS.map((view) => h("a", { key: view, className: classes("kata-tab", isHere(route, view) && "kata-tab-on"), "aria-current": isHere(route, view) ? "page" : undefined, ...linkTo({ view }) }, say("nav." + (view || "overview"))))),
    h(Health, { status: data }),
    h(
      "div",
      { className: "kata-row-tight" },
      h(Button, { kind: "quiet", onClick: () => onOpen("pause") }, say("verb.pause")),
      h(Button, { kind: "quiet", disabled: Boolean(mining.running), onClick: mining.start }, say("verb.mine")),
      h(Button, { kind: "quiet", "aria-label": say("help.title"), onClick: () => onOpen("help") }, "?"),
    ),
  );
}

function isHere(route, view) {
  return !route.kata && (route.view || "") === view;
}

/** What is recorded, in one line; a colour only while data are being lost. */
function Health({ status }) {
  const named = profile() || (status && status.profile);
  const told = [named && say("header.profile", { profile: named })];
  const recording = status && status.recording;
  if (recording) {
    told.push(say(recording.recording ? "recording.on" : "recording.paused"));
    told.push(count("event", recording.events));
    told.push(recording.lost ? say("recording.some_lost", { count: recording.lost }) : say("recording.none_lost"));
    if (recording.hidden_calls) told.push(say("recording.hidden", { calls: count("call", recording.hidden_calls) }));
  }
  return h("p", { className: classes("kata-health", recording && recording.lost && "kata-bad-text") }, told.filter(Boolean).join(" · "), recording && recording.last_event_at && h("span", null, " · ", say("header.last"), " ", h(Moment, { at: recording.last_event_at })));
}

function Pause({ onClose, onDone }) {
  const [minutes, setMinutes] = useState("60");
  const [note, setNote] = useState("");
  const [error, setError] = useState(null);
  async function answer() {
    try {
      await post("pause", { minutes: minutes ? Number(minutes) : null, note });
      toast(say("recording.paused"));
      onClose();
      onDone();
    } catch (failed) {
      setError(failed);
    }
  }
  return h(
    Question,
    { title: say("ask.pause"), answer: say("verb.pause"), onClose, onAnswer: answer, failure: error && h(Failure, { error }) },
    h("p", null, say("ask.pause.text")),
    h(Field, { id: "kata-minutes", label: say("pause.for") }, h("select", { id: "kata-minutes", className: "kata-input", value: minutes, onChange: (event) => setMinutes(event.target.value) }, ...["15", "60", "480", "1440", ""].map((one) => h("option", { key: one, value: one }, say("pause." + (one || "open")))))),
    h(Field, { id: "kata-note", label: say("note.label") }, h("input", { id: "kata-note", className: "kata-input", value: note, maxLength: 2000, onChange: (event) => setNote(event.target.value) })),
  );
}

function Help({ onClose }) {
  const [on, turn] = useKeysSetting();
  return h(
    Dialog,
    { title: say("help.title"), onClose, leave: say("close") },
    h("p", null, say("help.about")),
    h("dl", { className: "kata-keys" }, ...SHORTCUTS.map(([key, what]) => h("div", { key }, h("dt", null, h("kbd", null, key)), h("dd", null, say("key." + what))))),
    h("label", { className: "kata-choice" }, h("input", { type: "checkbox", checked: on, onChange: (event) => turn(event.target.checked) }), h("span", null, say("help.keys"))),
  );
}

// main.js
// The door: hands the tab to the dashboard; whatever fails here stays here.


function start() {
  try {
    if (!React || typeof React.createElement !== "function") {
      register("kata", () => null);
      return;
    }
    const Boundary = makeBoundary();
    register("kata", () => h(Boundary, null, h(App)));
  } catch (error) {
    window.console.error("kata: the tab could not start", error);
  }
}

start();
})();
