import { expect, test } from "vitest";

import { createImprintServer, type ImprintServerOptions } from "./index";
import { API_KEY } from "./testing";

const GOOD = { endpoint: "https://imprint.example.com", apiKey: API_KEY };
const create = (options: unknown) => createImprintServer(options as ImprintServerOptions);

test.each<[string, unknown]>([
  ["endpoint", undefined],
  ["endpoint", null],
  ["endpoint", "https://imprint.example.com"],
  ["endpoint", { apiKey: API_KEY }],
  ["endpoint", { ...GOOD, endpoint: "" }],
  ["endpoint", { ...GOOD, endpoint: "imprint.example.com" }],
  ["endpoint", { ...GOOD, endpoint: "/_i" }],
  ["endpoint", { ...GOOD, endpoint: "ftp://imprint.example.com" }],
  ["endpoint", { ...GOOD, endpoint: `https://x:${API_KEY}@imprint.example.com` }],
  ["endpoint", { ...GOOD, endpoint: `https://imprint.example.com/?key=${API_KEY}` }],
  ["endpoint", { ...GOOD, endpoint: API_KEY }],
  ["apiKey", { endpoint: GOOD.endpoint }],
  ["apiKey", { ...GOOD, apiKey: "" }],
  ["apiKey", { ...GOOD, apiKey: `${API_KEY}\n` }],
  ["apiKey", { ...GOOD, apiKey: `${API_KEY} ` }],
  ["apiKey", { ...GOOD, apiKey: `"${API_KEY}”` }],
  ["apiKey", { ...GOOD, apiKey: `env_${"0".repeat(32)}` }],
  ["timeoutMs", { ...GOOD, timeoutMs: 0 }],
  ["timeoutMs", { ...GOOD, timeoutMs: NaN }],
  ["timeoutMs", { ...GOOD, timeoutMs: "2000" }],
  ["timeoutMs", { ...GOOD, timeoutMs: 2 ** 31 }],
  ["attemptTimeoutMs", { ...GOOD, attemptTimeoutMs: -1 }],
  ["retries", { ...GOOD, retries: -1 }],
  ["retries", { ...GOOD, retries: Infinity }],
  ["fetch", { ...GOOD, fetch: "fetch" }],
])("a wrong %s stops the site when it starts, and the message names it without repeating it", (name, options) => {
  let thrown: unknown;
  try {
    create(options);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(TypeError);
  expect(String(thrown)).toContain(name);
  expect(String(thrown)).not.toContain(API_KEY);
});

test.each([
  GOOD.endpoint,
  `${GOOD.endpoint}/`,
  new URL(GOOD.endpoint),
  "http://localhost:3000",
  "https://a.example/imprint/",
])("%s is an endpoint", (endpoint) => {
  expect(Object.keys(create({ ...GOOD, endpoint }))).toEqual(["acceptImprint", "report", "history"]);
});
