import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { drawExactly, squaresOf } from "@/lib/contract/challenge-proof";
import { SubmissionBody } from "@/lib/contract/submission";
import { checkProof } from "@/lib/visits/submissions/domain/check-proof";
import { checkTimings } from "@/lib/visits/submissions/domain/check-timings";
import { startGroup } from "../../scripts/common/process-group";
import { userJs } from "../../scripts/common/firefox-preferences";
import { findInstalled } from "../../scripts/test/programs.mjs";
import { bundle, launchChromium, runOn, SAMPLE_ENVIRONMENT_ID, type Site, startSite } from "@/test/browser";

const FIREFOX_TIMEOUT_MS = 100_000;

let browser: Browser;
let script: string;
let site: Site;

beforeAll(async () => {
  [browser, script] = await Promise.all([launchChromium(), bundle("lib/component/entry-script.ts")]);
});

afterAll(() => browser.close());

beforeEach(async () => {
  site = await startSite();
  site.challenge = () => ({
    body: { challenge: randomBytes(51).toString("base64url"), token: randomBytes(60).toString("base64url") },
  });
  site.page("/v1/imprint.js", script);
  const tag = `<!doctype html><script src="${site.serviceOrigin}/v1/imprint.js"></script>`;
  site.page("/", tag);
  site.page(
    "/by-itself",
    `${tag}<script>Imprint.createImprint({ environmentId: "${SAMPLE_ENVIRONMENT_ID}" }).run()</script>`,
  );
  return () => site.close();
});

/** What the service says of the last submission, had it issued its challenge when the run began. */
function assessed() {
  const rawBody = site.submissions().at(-1)?.body ?? "";
  const { challenge, proof, signals, timings } = SubmissionBody.parse(JSON.parse(rawBody));
  return {
    proof,
    isExact: proof?.drawing === drawExactly(squaresOf(challenge)),
    found: [
      ...checkProof({ rawBody, challenge, proof, signals }),
      ...checkTimings({ timings, signals, challengeAgeMs: timings.total - timings.challenge, isOfOwnClock: true }),
    ].map(({ ruleId, compared }) => [ruleId, compared]),
  };
}

/** Runs the component in Chromium on a page where `before` ran ahead of everything else. */
async function runInChromium(before = "") {
  const page = await browser.newPage();
  await page.addInitScript(before);
  await page.goto(site.pageOrigin);
  expect(await runOn(page)).toHaveProperty("imprint");
  await page.close();
  return assessed();
}

test("a visit of Chromium answers its challenge exactly, and each visit another one", async () => {
  const [one, other] = [await runInChromium(), await runInChromium()];

  expect([one, other]).toMatchObject(Array(2).fill({ isExact: true, found: [] }));
  expect(one.proof?.drawing).not.toBe(other.proof?.drawing);
  expect(one.proof?.digest).not.toBe(other.proof?.digest);
});

test("what a page does not write in ASCII is bound like the rest", async () => {
  expect(
    await runInChromium(
      `Object.defineProperty(Navigator.prototype, "userAgent", { get: () => "Bröwser \\u{1F600} \\ud800 1.0" });`,
    ),
  ).toMatchObject({ isExact: true, found: [] });
});

const CONTEXT = "CanvasRenderingContext2D.prototype";
const READ = `const read = ${CONTEXT}.getImageData; ${CONTEXT}.getImageData = function (...place)`;

test.each([
  [
    "noise on each pixel",
    `${READ} { const image = read.apply(this, place); for (const at of image.data.keys()) image.data[at] ^= at % 2; return image; };`,
  ],
  ["a canvas that gives back nothing", `${READ} { throw new DOMException("no", "SecurityError"); };`],
  [
    "a canvas that gives back one colour",
    `${READ} { const image = read.apply(this, place); image.data.fill(255); return image; };`,
  ],
  ["no canvas", "HTMLCanvasElement.prototype.getContext = () => null;"],
])("%s is no finding", async (_what, source) => {
  expect((await runInChromium(source)).found).toEqual([]);
});

test("a script that changes the submission on its way is found", async () => {
  const { found } = await runInChromium(
    `const send = fetch; window.fetch = (url, init) => send(url, { ...init, body: init.body.replace('"width":1280', '"width":1920') });`,
  );

  expect(found.map(([ruleId]) => ruleId)).toEqual(["repeat.proof-wrong"]);
});

test("a run whose first challenge expired measures from its own beginning, and answers the second challenge", async () => {
  let refused = 0;
  const accept = site.submit;
  site.submit = (request) =>
    refused++ < 1 ? { status: 400, body: { error: { code: "challenge_expired", message: "x" } } } : accept(request);

  expect(await runInChromium()).toMatchObject({ isExact: true, found: [] });
  expect(site.submissions()).toHaveLength(2);
});

test.each([
  ["as it comes", {}],
  ["with resistFingerprinting", { "privacy.resistFingerprinting": true }],
])("a visit of Firefox %s answers its challenge", async (_how, preferences) => {
  const profile = mkdtempSync(join(tmpdir(), "imprint-firefox-"));
  writeFileSync(join(profile, "user.js"), userJs(preferences));
  const firefox = startGroup(
    await findInstalled("firefox"),
    ["--headless", "--no-remote", "--profile", profile, `${site.pageOrigin}/by-itself`],
    { ...process.env, HOME: profile },
  );
  try {
    await expect.poll(() => site.submissions().length, { timeout: FIREFOX_TIMEOUT_MS, interval: 100 }).toBe(1);
  } finally {
    await firefox.stop();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }

  const { proof, found } = assessed();
  expect(proof?.drawing).toHaveLength(48);
  expect(found).toEqual([]);
});
