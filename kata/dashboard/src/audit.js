// Who did what: all time, newest first, by facet and by word, with the filter in the address.

import { get, download } from "./api.js";
import { Failure } from "./failures.js";
import { h, useEffect, useRef, useState } from "./host.js";
import { useFresh } from "./live.js";
import { Agent } from "./marks.js";
import { Button, Copy, Json, Loading, Waiting, actorText, classes, copyLink } from "./parts.js";
import { FILTERS, go, href, linkTo, profile } from "./route.js";
import { Moment, clock, day, whole } from "./times.js";
import { count, has, say, word } from "./words.js";

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
export function readWords(typed) {
  const found = { q: [] };
  typed.split(/\s+/).filter(Boolean).forEach((one) => {
    const match = /^(actor|action|channel|kata|since|until)[:：](.+)$/.exec(one);
    if (match) found[WORDS[match[1]]] = match[2];
    else found.q.push(one);
  });
  return { ...found, q: found.q.join(" ") };
}

/** The timeline; `number` keeps it to one kata. */
export function AuditPage({ route, number }) {
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
export function Save({ path, query, name, type }) {
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
export function actionText(action) {
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

