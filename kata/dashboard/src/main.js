// The door: hands the tab to the dashboard; whatever fails here stays here.

import { App } from "./app.js";
import { React, h, register } from "./host.js";
import { makeBoundary } from "./parts.js";

function start() {
  try {
    if (!React || typeof React.createElement !== "function") {
      register("kata", () => null);
      return;
    }
    const Boundary = makeBoundary();
    register("kata", () => h(Boundary, null, h(App)));
  } catch (error) {
    window.console.error("kata: the tab could not start", error);
  }
}

start();
