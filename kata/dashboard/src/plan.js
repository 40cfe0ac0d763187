// What a version would do, step by step; with my own values the calls and their effects are made anew as I type.

import { post } from "./api.js";
import { Field } from "./dialog.js";
import { Failure } from "./failures.js";
import { h, useEffect, useMemo, useState } from "./host.js";
import { Agent, marked, oneLine } from "./marks.js";
import { EFFECTS, Effect, Note, Section, classes, effectCounts } from "./parts.js";
import { count, say, word } from "./words.js";

const TYPING_MS = 200;

/** The plan of a version with some values; the last good one stays while the next is made. */
export function usePlan(named, version, values) {
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

export function PlanTab({ review }) {
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
export function valuesOf(typed, inputs) {
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
