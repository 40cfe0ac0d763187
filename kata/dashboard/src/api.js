// Kata's API: every answer is data, every refusal an ApiError that says what kind it is.

import { send } from "./host.js";
import { profile } from "./route.js";

const ROOT = "/api/plugins/kata/";

/** What went wrong: `kind` is session, missing, absent, refused, conflict, invalid, store, fault, strange or offline. */
export class ApiError extends Error {
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

export function get(path, query) {
  return call(path, query);
}

export function post(path, body, query) {
  return call(path, query, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body || {}),
  });
}

/** Return an answer as text, for a download. */
export async function download(path, query) {
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
