// What a version rests on: one recorded example for each conversation, and how well it fits.

import { h } from "./host.js";
import { Agent } from "./marks.js";
import { Json, Section } from "./parts.js";
import { count, safeTag, say } from "./words.js";

export function EvidenceTab({ review }) {
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
export function baselineText(base) {
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
