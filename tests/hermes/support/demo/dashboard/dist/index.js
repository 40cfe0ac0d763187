window.__HERMES_PLUGINS__.register("demo", () => null);
