// Every word that a person reads, in the language that they chose; per key, what is missing falls back to English.

import { EN } from "./words/en.js";
import { ZH } from "./words/zh.js";

const CATALOGUES = { en: EN, zh: ZH };
let chain = [EN];
let tag = "en";

/** The catalogues to look in, best first: zh-CN, zh, en; zh-Hant, zh, en. */
export function chainFor(locale) {
  const parts = String(locale).toLowerCase().replace("_", "-").split("-");
  const names = parts.map((_, index) => parts.slice(0, parts.length - index).join("-"));
  return [...names.filter((name) => CATALOGUES[name] && name !== "en").map((name) => CATALOGUES[name]), EN];
}

/** Speak this language from now on. */
export function speak(locale) {
  chain = chainFor(locale);
  tag = locale;
}

/** The language tag for dates and numbers. */
export function language() {
  return tag;
}

/** A message with its values filled in. */
export function say(key, values) {
  const found = chain.find((one) => one[key] !== undefined);
  const message = found ? found[key] : key;
  return message.replace(/\{(\w+)\}/g, (whole, name) => (values && values[name] !== undefined ? String(values[name]) : whole));
}

/** Tell whether there is such a message. */
export function has(key) {
  return EN[key] !== undefined;
}

/** A word of a closed list (an effect, a state); a word that is not in it stays as it is. */
export function word(kind, value) {
  return has(kind + "." + value) ? say(kind + "." + value) : String(value);
}

/** "1 call", "3 calls". */
export function count(kind, number) {
  return say("count." + kind + (number === 1 ? "" : "s"), { count: number.toLocaleString(safeTag()) });
}

export function safeTag() {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return "en";
  }
}
