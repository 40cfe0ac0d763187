// News: what happened since the page was read. Nothing moves under the pointer; it says "3 new" instead.

import { get } from "./api.js";
import { useCallback, useEffect, useRef, useState } from "./host.js";

const EVERY_MS = 1200;
const listeners = new Set();
let position = null;

/** Start from the log's end: what this page just did itself is no news to it. */
export function catchUp() {
  position = null;
}

/** Ask for news again and again while the page is seen; returns what stops it. */
export function follow() {
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
export function useFresh(key, load) {
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
