// Looking for routines: started here, done elsewhere, its progress told politely, and cancelled when one likes.

import { get, post } from "./api.js";
import { Failure } from "./failures.js";
import { h, useEffect, useState } from "./host.js";
import { Button, Note } from "./parts.js";
import { count, say, word } from "./words.js";

const ASK_MS = 500;

/** The pass that runs or ran last; `start` and `cancel`. */
export function useMining() {
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

export function Mining({ mining }) {
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
