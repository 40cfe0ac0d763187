// The whole tab: header, the page that the address names, dialogs and messages.

import { get, post } from "./api.js";
import { AuditPage } from "./audit.js";
import { Deciding } from "./decide.js";
import { Dialog, Field, Question } from "./dialog.js";
import { Failure } from "./failures.js";
import { h, useEffect, useLocale, useState } from "./host.js";
import { SHORTCUTS, step, useKeys, useKeysSetting } from "./keys.js";
import { follow, useFresh } from "./live.js";
import { KataPage } from "./kata.js";
import { Mining, useMining } from "./mining.js";
import { OverviewPage, SeenPage } from "./overview.js";
import { Button, classes } from "./parts.js";
import { go, linkTo, profile, useRoute } from "./route.js";
import { RunPage, RunsTab } from "./runs.js";
import { Moment } from "./times.js";
import { Toasts, toast } from "./toast.js";
import { count, say, speak } from "./words.js";

const VIEWS = ["", "runs", "audit"];

export function App() {
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
