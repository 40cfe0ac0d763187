// What the dashboard gives us. Everything is probed: another version of it must not take the tab down.

const SDK = window.__HERMES_PLUGIN_SDK__ || {};

export const React = SDK.React || window.React;
const hooks = { ...(React || {}), ...(SDK.hooks || {}) };

export const { useState, useEffect, useCallback, useMemo, useRef } = hooks;

/** Make an element: a tag or component, properties, children. */
export function h(kind, properties, ...children) {
  return React.createElement(kind, properties, ...children);
}

const hostLocale = typeof SDK.useI18n === "function" ? SDK.useI18n : () => ({});

/** The language that the person chose for the dashboard. */
export function useLocale() {
  const chosen = hostLocale();
  return (chosen && chosen.locale) || document.documentElement.lang || "en";
}

/** Send a request with the dashboard's own credentials; return its status and text. */
export async function send(url, init) {
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
export function register(name, component) {
  const plugins = window.__HERMES_PLUGINS__;
  if (plugins && typeof plugins.register === "function") plugins.register(name, component);
}
