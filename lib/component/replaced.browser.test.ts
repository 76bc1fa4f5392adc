import { randomBytes } from "node:crypto";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { SubmissionBody } from "@/lib/contract/submission";
import { checkProof } from "@/lib/visits/submissions/domain/check-proof";
import { bundle, launchForPages, runOn, SAMPLE_IMPRINT, type Site, startSite } from "@/test/browser";

let browser: Browser;
let script: string;
let site: Site;

beforeAll(async () => {
  [browser, script] = await Promise.all([launchForPages(), bundle("lib/component/entry-script.ts")]);
});

afterAll(() => browser.close());

beforeEach(async () => {
  site = await startSite();
  site.challenge = () => ({ body: { challenge: randomBytes(51).toString("base64url") } });
  site.page("/v1/imprint.js", script);
  return () => site.close();
});

/** What `run()` comes to on a page whose own script `source` ran before the component's. */
async function runAfter(source: string) {
  site.page(
    "/",
    `<!doctype html><script>${source}</script><script src="${site.serviceOrigin}/v1/imprint.js"></script>`,
  );
  const page = await browser.newPage();
  await page.goto(site.pageOrigin);
  const outcome = await runOn(page);
  await page.close();
  return outcome;
}

/** The last submission, without what differs from one run to the next. */
function submitted() {
  const rawBody = site.submissions().at(-1)?.body ?? "";
  const { signals, challenge, proof } = SubmissionBody.parse(JSON.parse(rawBody));
  return { signals, evidence: checkProof({ rawBody, challenge, proof, signals }) };
}

test.each([
  [
    // As `Array#toJSON`, `Array#reduce`, `Array.from` and `Object.keys` are there.
    "Prototype.js up to 1.6",
    `Array.prototype.toJSON = function () { return "[" + Array.prototype.join.call(this, ", ") + "]"; };
     Array.prototype.reduce = function () { return this.length > 1 ? this : this[0]; };
     Array.from = (list) => (list.toArray ? list.toArray() : [].slice.call(list));
     String.prototype.toArray = function () { return this.split(""); };
     Object.keys = (object) => { const keys = []; for (const key in object) keys.push(key); return keys; };`,
  ],
  ["Prototype.js 1.7", `Array.from = (list) => [].slice.call(list);`],
  ["MooTools 1.3 to 1.5", `Array.from = (item) => (Array.isArray(item) ? item : [item]);`],
  ["toJSON on every object", `Object.prototype.toJSON = () => "{}";`],
  [
    "enumerable additions",
    `Object.prototype.extend = () => {}; Array.prototype.last = function () { return this[0]; };`,
  ],
  ["a calendar named scheduler", `window.scheduler = { config: {}, init() {} };`],
  ["a scheduler of its own", `window.scheduler = { postTask: (task, { delay = 0 }) => Promise.resolve(task()) };`],
  [
    "frozen intrinsics",
    `for (const each of [Object, Array, Error, Promise]) { Object.freeze(each); Object.freeze(each.prototype); }`,
  ],
])("a page with %s submits what a page without does", async (_what, source) => {
  expect(await runAfter("")).toEqual({ imprint: SAMPLE_IMPRINT });
  const plain = submitted();

  expect(await runAfter(source)).toEqual({ imprint: SAMPLE_IMPRINT });

  // Whether the console is watched is asked by means that a page can freeze.
  expect(submitted()).toEqual({
    evidence: [],
    signals: {
      ...plain.signals,
      automation: {
        state: "ok",
        value: expect.objectContaining({ globals: [], tampered: [] }) as unknown,
      },
    },
  });
});

test("a page that has frozen the error of the browser gets errors of the component", async () => {
  site.challenge = () => "drop";

  expect(await runAfter("Object.freeze(Error.prototype); Object.freeze(Object.prototype);")).toMatchObject({
    name: "ImprintError",
    code: "network",
  });
});

test.each([
  ["JSON", `window.JSON = { encode() {} };`],
  ["the clock", `window.performance = {}; performance.now = undefined;`],
])("a page that takes %s away gets an error of the component, too", async (_what, source) => {
  expect(await runAfter(source)).toMatchObject({ name: "ImprintError", code: "invalid_config", retryable: false });
});
