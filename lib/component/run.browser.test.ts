import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { bundle, launchForPages, runOn, SAMPLE_ENVIRONMENT_ID, SAMPLE_IMPRINT, startSite } from "@/test/browser";
import type { PageGlobals, Site } from "@/test/browser";

const TOKEN_KEY = `imprint_${SAMPLE_ENVIRONMENT_ID.slice(4)}`;

let browser: Browser;
let script: string;
let site: Site;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [browser, script] = await Promise.all([launchForPages(), bundle("lib/component/entry-script.ts")]);
});

afterAll(() => browser.close());

beforeEach(async () => {
  site = await startSite();
  site.page("/v1/imprint.js", script);
  site.page("/", `<!doctype html><script src="${site.serviceOrigin}/v1/imprint.js"></script>`);
  context = await browser.newContext();
  page = await context.newPage();
  await page.goto(site.pageOrigin);
});

afterEach(async () => {
  await context.close();
  await site.close();
});

const bodies = () => site.submissions().map(({ body }) => body);
const sentTokens = () => site.requests.map(({ body }) => (JSON.parse(body) as { token?: string }).token);
const envelope = (code: string) => ({ error: { code, message: "For people" } });

/** The token as each place of the browser keeps it. */
const keptTokens = async () => ({
  cookie: (await context.cookies()).find(({ name }) => name === TOKEN_KEY)?.value,
  local: await page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY),
  database: await page.evaluate(
    (key) =>
      new Promise((resolve) => {
        const opening = indexedDB.open("imprint");
        opening.onsuccess = () => {
          const reading = opening.result.transaction("imprint").objectStore("imprint").get(key);
          reading.onsuccess = () => {
            resolve(reading.result);
          };
        };
      }),
    TOKEN_KEY,
  ),
});

const everywhere = (token: string) => ({ cookie: token, local: token, database: token });

test("run() resolves to the imprint alone, from the origin that served the script", async () => {
  expect(await runOn(page)).toEqual({ imprint: SAMPLE_IMPRINT });
  expect(site.requests.map(({ path }) => path)).toEqual(["/api/v1/imprints/challenge", "/api/v1/imprints"]);
});

test("requests need no preflight, carry no credentials and never say the word that blockers look for", async () => {
  await context.addCookies([{ name: "session", value: "secret", url: site.serviceOrigin }]);
  const urls: string[] = [];
  page.on("request", (request) => urls.push(`${request.method()} ${request.url()}`));

  await runOn(page, {}, { surface: "sign-in" });

  for (const { headers } of site.requests) {
    expect(headers).toMatchObject({ "content-type": "text/plain;charset=UTF-8", origin: site.pageOrigin });
    expect(headers).not.toHaveProperty("cookie");
  }
  expect(urls.filter((url) => url.startsWith("OPTIONS"))).toEqual([]);
  expect(JSON.stringify([urls, site.requests, script]).toLowerCase()).not.toContain("fingerprint");
});

test("a lost answer is asked for again with the identical body, so that the visit counts once", async () => {
  let lost = 0;
  site.submit = () => (lost++ < 2 ? "drop" : { status: 201, body: { imprint: SAMPLE_IMPRINT } });

  expect(await runOn(page)).toEqual({ imprint: SAMPLE_IMPRINT });
  expect(bodies().length).toBe(3);
  expect(new Set(bodies()).size).toBe(1);
});

test("a service that never answers costs three attempts and a retryable network error", async () => {
  site.challenge = () => "drop";

  expect(await runOn(page)).toMatchObject({ name: "ImprintError", code: "network", retryable: true, requestId: null });
  expect(site.requests.length).toBe(3);
});

test.each([
  [403, "origin_not_allowed", "origin_not_allowed", false],
  [403, "environment_disabled", "environment_disabled", false],
  [404, "environment_not_found", "environment_not_found", false],
  [429, "rate_limited", "rate_limited", true],
  [429, "request_limit_reached", "request_limit_reached", false],
  [409, "challenge_used", "challenge_used", true],
  [500, "internal_error", "server_error", true],
  [403, "a_code_of_tomorrow", "server_error", true],
])("an answer %i %s becomes %s and is not asked for again", async (status, code, expected, retryable) => {
  site.submit = () => ({ status, body: envelope(code) });

  expect(await runOn(page)).toMatchObject({ code: expected, retryable, requestId: "req_sample" });
  expect(bodies().length).toBe(1);
});

test.each([
  ["a page of a proxy", { status: 502, body: "<h1>Bad gateway</h1>" }, true],
  ["a file server", { status: 200, body: "<h1>Welcome</h1>" }, false],
  ["another service", { status: 201, body: { imprint: "imp_short" } }, false],
])("%s is no answer of the service", async (_what, answer, retryable) => {
  site.submit = () => answer;

  expect(await runOn(page)).toMatchObject({ code: "bad_response", retryable });
});

test("an expired challenge is replaced once, and only once", async () => {
  let refused = 0;
  site.submit = () =>
    refused++ < 1
      ? { status: 400, body: envelope("challenge_expired") }
      : { status: 201, body: { imprint: SAMPLE_IMPRINT } };

  expect(await runOn(page)).toEqual({ imprint: SAMPLE_IMPRINT });
  const challenges = bodies().map((body) => (JSON.parse(body) as { challenge: string }).challenge);
  expect(new Set(challenges).size).toBe(2);

  site.submit = () => ({ status: 400, body: envelope("challenge_expired") });
  const before = bodies().length;
  expect(await runOn(page)).toMatchObject({ code: "challenge_expired", retryable: true });
  expect(bodies().length - before).toBe(2);
});

test("the time-out covers the whole run, also the wait before a retry", async () => {
  site.challenge = () => "drop";

  expect(await runOn(page, { timeoutMs: 60 })).toMatchObject({ code: "timeout", retryable: true });
  const before = site.requests.length;
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)));
  expect(site.requests.length).toBe(before);
});

test("runs of one surface at one time are one submission; another surface is another", async () => {
  const results = await page.evaluate(async (environmentId) => {
    const globals: unknown = globalThis;
    const client = (globals as PageGlobals).Imprint.createImprint({ environmentId });
    return Promise.all([client.run(), client.run({ surface: "default" }), client.run({ surface: "sign-up" })]);
  }, SAMPLE_ENVIRONMENT_ID);

  expect(results).toEqual(Array(3).fill({ imprint: SAMPLE_IMPRINT }));
  const surfaces = bodies().map((body) => (JSON.parse(body) as { surface: string }).surface);
  expect(surfaces.sort()).toEqual(["default", "sign-up"]);
});

test("a caller that aborts ends its own wait; the others get their imprint", async () => {
  const results = await page.evaluate(async (environmentId) => {
    const globals: unknown = globalThis;
    const client = (globals as PageGlobals).Imprint.createImprint({ environmentId });
    const controller = new AbortController();
    const first = client.run({ signal: controller.signal });
    const second = client.run();
    controller.abort();
    const late = client.run({ signal: controller.signal });
    const code = (error: unknown) => (error as { code: string }).code;
    return Promise.all([first.catch(code), second, late.catch(code)]);
  }, SAMPLE_ENVIRONMENT_ID);

  expect(results).toEqual(["aborted", { imprint: SAMPLE_IMPRINT }, "aborted"]);
  expect(bodies().length).toBe(1);
});

test("the token of the first visit is kept in three places and sent on the next", async () => {
  await runOn(page);
  await expect.poll(keptTokens).toEqual(everywhere("token-1"));

  await runOn(page);

  expect(sentTokens()).toEqual([undefined, "token-1", "token-1", "token-1"]);
  const cookie = (await context.cookies()).find(({ name }) => name === TOKEN_KEY);
  expect(cookie).toMatchObject({ sameSite: "Lax", path: "/" });
  expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(399 * 86_400);
});

test.each([
  [
    "localStorage",
    () =>
      page.evaluate(() => {
        localStorage.clear();
      }),
  ],
  ["the cookie", () => context.clearCookies()],
  [
    "localStorage and the cookie",
    async () => {
      await context.clearCookies();
      await page.evaluate(() => {
        localStorage.clear();
      });
    },
  ],
])("a token lost from %s is restored from what is left", async (_place, lose) => {
  await runOn(page);
  await expect.poll(keptTokens).toEqual(everywhere("token-1"));
  await lose();

  await runOn(page);

  expect(sentTokens().at(-1)).toBe("token-1");
  await expect.poll(keptTokens).toEqual(everywhere("token-1"));
});

test("a token that the service finds unusable is replaced everywhere", async () => {
  await runOn(page);
  await expect.poll(keptTokens).toEqual(everywhere("token-1"));
  site.challenge = (request) => ({
    body: { challenge: "c", ...(request.body.includes("token-1") ? { token: "token-new" } : {}) },
  });

  await runOn(page);

  expect(sentTokens().at(-1)).toBe("token-new");
  await expect.poll(keptTokens).toEqual(everywhere("token-new"));
});

test("a token that comes with the imprint replaces the one that was sent, everywhere and for the next run", async () => {
  await runOn(page);
  await expect.poll(keptTokens).toEqual(everywhere("token-1"));
  site.submit = ({ body }) => ({
    status: 201,
    body: { imprint: SAMPLE_IMPRINT, ...(body.includes('"token-1"') ? { token: "token-mine" } : {}) },
  });

  expect(await runOn(page)).toEqual({ imprint: SAMPLE_IMPRINT });
  await expect.poll(keptTokens).toEqual(everywhere("token-mine"));
  await runOn(page);

  expect(sentTokens().slice(-2)).toEqual(["token-mine", "token-mine"]);
  expect(await keptTokens()).toEqual(everywhere("token-mine"));
});

test("a secret in the options of a run is refused before anything is sent, an unknown option is warned of", async () => {
  const warnings: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "warning") warnings.push(message.text());
  });
  const surface = "svc_live_4f8Zq0secret";

  expect(await runOn(page, {}, { surface })).toMatchObject({ name: "ImprintError", code: "invalid_config" });
  expect(site.requests).toEqual([]);
  await runOn(page, {}, { surfaces: "sign-in" } as object);
  expect(warnings).toEqual(["Imprint: unknown option surfaces. Did you mean surface?"]);
});

/** Source that forbids the page a property, as policies and privacy tools do. */
const without = (owner: string, name: string) =>
  `Object.defineProperty(${owner}, "${name}", { get() { throw new DOMException("no", "SecurityError"); } });`;

test.each([
  ["that has every kind of storage", ""],
  ["without a database", without("window", "indexedDB")],
])("two tabs on a first visit to a page %s submit one shared token", async (_what, source) => {
  await context.addInitScript(source);
  await page.reload();
  const other = await context.newPage();
  await other.goto(site.pageOrigin);
  const waiting: (() => void)[] = [];
  const plain = site.challenge;
  // Both first challenges are answered together: each tab has been issued a token of its own.
  site.challenge = async (request) => {
    const answer = await plain(request);
    if (waiting.length < 2)
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 2)
          waiting.forEach((release) => {
            release();
          });
      });
    return answer;
  };

  await Promise.all([runOn(page), runOn(other)]);

  const tokens = site.submissions().map(({ body }) => (JSON.parse(body) as { token: string }).token);
  expect(tokens.length).toBe(2);
  expect(new Set(tokens).size).toBe(1);
});

test('storage "none" sends the token of this run and keeps nothing', async () => {
  await runOn(page, { storage: "none" });

  expect(sentTokens()).toEqual([undefined, "token-1"]);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(async () => [localStorage.length, (await indexedDB.databases()).length])).toEqual([0, 0]);
});

test("a page without any storage still gets its imprint", async () => {
  await page.addInitScript(`
    for (const name of ["localStorage", "indexedDB"])
      Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
    Object.defineProperty(Document.prototype, "cookie", { get() { throw new DOMException("no", "SecurityError"); } });
    Object.defineProperty(Navigator.prototype, "locks", { get: () => undefined });`);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.reload();

  expect(await runOn(page)).toEqual({ imprint: SAMPLE_IMPRINT });
  expect(errors).toEqual([]);
});
