// Where one is: all of it stands in the address, so that a reload, a bookmark and Back work.

import { useEffect, useState } from "./host.js";

export const FILTERS = ["actor", "action", "channel", "about", "since", "until", "q"];
const KEYS = ["view", "kata", "tab", "version", "from", "run", "event", "observations", ...FILTERS];

/** Read the address: an object with the keys that are set. */
export function readRoute() {
  const words = new URLSearchParams(window.location.search);
  const found = {};
  KEYS.forEach((key) => {
    if (words.get(key)) found[key] = words.get(key);
  });
  return found;
}

/** The profile that the page shows; the host keeps it in the address. */
export function profile() {
  return new URLSearchParams(window.location.search).get("profile") || "";
}

/** The address of another place; everything else in the address (the profile) stays. */
export function href(place) {
  const words = new URLSearchParams(window.location.search);
  KEYS.forEach((key) => words.delete(key));
  KEYS.forEach((key) => {
    if (place[key]) words.set(key, place[key]);
  });
  const told = words.toString();
  return window.location.pathname + (told ? "?" + told : "");
}

/** Go to a place; `replace` leaves no step for Back. */
export function go(place, { replace = false } = {}) {
  const state = window.history.state;
  window.history[replace ? "replaceState" : "pushState"](state, "", href(place));
  // The host's router listens to this too, and so keeps our words when the profile changes.
  window.dispatchEvent(new PopStateEvent("popstate", { state }));
}

/** The present place; the component is drawn again when it changes. */
export function useRoute() {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = () => setRoute(readRoute());
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, []);
  return route;
}

/** Properties of a link that goes there without loading the page anew. */
export function linkTo(place) {
  return {
    href: href(place),
    onClick: (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
      event.preventDefault();
      go(place);
    },
  };
}
