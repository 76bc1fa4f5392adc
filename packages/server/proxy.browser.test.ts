import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { userJs } from "@/scripts/common/firefox-preferences";
import { startGroup } from "@/scripts/common/process-group";
import { findInstalled } from "@/scripts/test/programs.mjs";
import { createTestDatabase } from "@/test/database";
import { launchChromium, type PageGlobals } from "@/test/browser";
import { allowOrigin, latestVisits, listenLocal, type Listening, startInProcessService } from "@/test/proxied-site";
import { createSite, type Site } from "@/test/visits";
import { imprintProxy } from "./proxy";
import type { ImprintProxy } from "./proxy-types";

/** An address that is nobody's own: visits of one test are of one network. */
const VISITOR = "8.8.8.8";

/** Shuts out whatever could be told from the outside to be a third party that identifies browsers, or ours. */
const BLOCK_LIST = [
  /^https?:\/\/127\.0\.0\.1[:/]/, // the service as a third party: any host but the page's
  /imprint|fingerprint|finger_print|\bfp[._/-]|fpjs|fingerprintjs|clientjs|thumbmark|botd|creepjs|device-?id|deviceprint/i,
  /\/(?:api\/)?v\d+\/(?:visits?|events?|collect|track|identify|imprints?)\b/i,
  /\/(?:agent|beacon|collect|telemetry|analytics|tracker?|pixel|challenge|submit|probe)[./?]/i,
];

const { db } = await createTestDatabase();
let browser: Browser;
let service: Awaited<ReturnType<typeof startInProcessService>>;
let shop: Listening;
let site: Site;
let proxy: ImprintProxy;
let context: BrowserContext;
/** Told when a page without a driver has its imprint. */
let onImprint: (imprint: string) => void = () => undefined;

const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; worker-src blob:";

/** The page's own script: `run()` by the address of the file that it was loaded with, and a word to the site. */
const pageScript = () => `
  window.visit = (options) => Imprint.createImprint({ environmentId: "${site.environmentId}", ...options }).run();
  if (location.hash === "#report") visit().then(({ imprint }) => fetch("/imprint", { method: "POST", body: imprint }));`;

const html = (script: string) =>
  `<!doctype html><title>Shop</title><script src="${script}"></script><script src="/page.js"></script>`;

beforeAll(async () => {
  [browser, service, site] = await Promise.all([launchChromium(), startInProcessService(), createSite(db)]);
  shop = await listenLocal((req, res) => {
    proxy.node(req, res, () => {
      if (req.method === "POST") {
        req.setEncoding("utf8").on("data", (imprint: string) => {
          onImprint(imprint);
        });
        res.end();
        return;
      }
      const [path] = (req.url ?? "/").split("?", 1);
      const pages: Record<string, string> = {
        "/": "/_i/c.js",
        "/direct": `http://127.0.0.1:${service.port}/v1/imprint.js`,
      };
      const script = pages[path ?? ""];
      const isProxied = path === "/";
      res.setHeader("Content-Type", script === undefined ? "text/javascript" : "text/html");
      if (isProxied) res.setHeader("Content-Security-Policy", POLICY);
      res.end(script === undefined ? pageScript() : html(script));
    });
  });
  site = await allowOrigin(db, site, shop.url);
  proxy = imprintProxy({
    endpoint: `http://127.0.0.1:${service.port}`,
    apiKey: site.apiKey,
    clientAddress: () => VISITOR,
  });
});
afterAll(async () => {
  await browser.close();
  await Promise.all([shop.close(), service.close()]);
});
beforeEach(async () => {
  context = await browser.newContext();
});
afterEach(() => context.close());

type VisitGlobals = PageGlobals & { visit: (options?: object) => Promise<{ imprint: string }> };

const openPage = async (path = "/"): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(`${shop.url}${path}`);
  return page;
};

/** The imprint of a run on the page, or the code of its error. */
const runOn = (page: Page, options: object = {}) =>
  page.evaluate((given) => {
    const globals: unknown = globalThis;
    return (globals as VisitGlobals).visit(given).then(
      ({ imprint }) => imprint,
      (error: unknown) => (error as { code: string }).code,
    );
  }, options);

const newest = async () => {
  const [visit] = await latestVisits(db, site);
  if (!visit) throw new Error("no visit was stored");
  return visit;
};

const IMPRINT = /^imp_[0-9a-f]{32}$/;

test("under a list that blocks every third party and every telling word, visits through the proxy lose nothing", async () => {
  const blocked: string[] = [];
  await context.route("**", (route, request) => {
    if (!BLOCK_LIST.some((pattern) => pattern.test(request.url()))) return route.continue();
    blocked.push(request.url());
    return route.abort();
  });
  const direct = await openPage("/direct");
  expect(await direct.evaluate(() => "Imprint" in globalThis)).toBe(false);
  expect(blocked).toHaveLength(1);
  const page = await openPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  for (let visits = 0; visits < 5; visits += 1) expect(await runOn(page)).toMatch(IMPRINT);
  expect(new Set(asked)).toEqual(new Set(["POST /_i/a", "POST /_i/b"]));
  expect(blocked).toHaveLength(1);
});

test("a page under a policy without anything unsafe runs it whole, and violates nothing", async () => {
  const page = await context.newPage();
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/Content.Security.Policy/i.test(message.text()) && !message.text().includes("favicon"))
      violations.push(message.text());
  });
  await page.goto(shop.url);
  expect(await runOn(page)).toMatch(IMPRINT);
  expect(violations).toEqual([]);
  expect((await newest()).rules).not.toContain("groups.missing");
});

test("a driven Chromium is found to be the same through the proxy as directly", async () => {
  const direct = await openPage("/direct");
  expect(await runOn(direct)).toMatch(IMPRINT);
  const directly = await newest();
  await context.clearCookies();
  expect(await runOn(await openPage())).toMatch(IMPRINT);
  const proxied = await newest();
  // The two come from other addresses.
  const ofBrowser = (rules: string[]) => rules.filter((rule) => !/^(network|token|repeat\.payload)/.test(rule)).sort();
  expect(ofBrowser(proxied.rules)).toEqual(ofBrowser(directly.rules));
  expect(proxied.report.risk.status).toBe(directly.report.risk.status);
});

test("the token is in a cookie that no script of the page sees, and nowhere else", async () => {
  const page = await openPage();
  expect(await runOn(page)).toMatch(IMPRINT);
  const [cookie, ...others] = await context.cookies();
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({ name: "_i", path: "/_i", httpOnly: true, sameSite: "Lax" });
  expect(await page.evaluate(() => [document.cookie, localStorage.length])).toEqual(["", 0]);
  await runOn(page);
  expect((await newest()).report.device.access_count).toBe(2);
});

test("a page that has its token from before hands it over once, and has none afterwards", async () => {
  const direct = await openPage("/direct");
  expect(await runOn(direct)).toMatch(IMPRINT);
  const { id } = (await newest()).report.device;
  const page = await openPage();
  expect(await page.evaluate(() => localStorage.length)).toBe(1);
  expect(await runOn(page)).toMatch(IMPRINT);
  expect((await newest()).report.device).toMatchObject({ id, access_count: 2 });
  expect(await page.evaluate(() => [document.cookie, localStorage.length])).toEqual(["", 0]);
  expect(await runOn(await openPage())).toMatch(IMPRINT);
  expect((await newest()).report.device).toMatchObject({ id, access_count: 3 });
});

test("two tabs on a first visit are one device", async () => {
  // The second tab waits half a second for the first one's cookie, which a busy machine exceeds.
  await context.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  const pages = await Promise.all([openPage(), openPage()]);
  const imprints = await Promise.all(pages.map((page) => runOn(page)));
  for (const imprint of imprints) expect(imprint).toMatch(IMPRINT);
  const [one, other] = await latestVisits(db, site);
  expect(one?.report.device.id).toBe(other?.report.device.id);
});

test('with storage "none" nothing is kept, in no cookie either', async () => {
  const page = await openPage();
  expect(await runOn(page, { storage: "none" })).toMatch(IMPRINT);
  expect(await context.cookies()).toEqual([]);
});

test("before consent nothing is asked for, read or kept; after it, all is as ever", async () => {
  const page = await openPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.evaluate(`
    window.touched = [];
    for (const name of ["userAgent", "hardwareConcurrency"])
      Object.defineProperty(Navigator.prototype, name, { get() { touched.push(name); return undefined; }, configurable: true });
    window.pending = visit({ consent: new Promise((resolve) => { window.agree = resolve; }) }).then(({ imprint }) => imprint);
    "waiting";`);
  expect(await runOn(page, { consent: false })).toBe("consent_missing");
  expect(await page.evaluate("visit({ consent: undefined }).catch(({ code }) => code)")).toBe("consent_missing");
  expect(await page.evaluate("visit({ consent: () => Promise.reject(new Error()) }).catch(({ code }) => code)")).toBe(
    "consent_missing",
  );
  expect([asked, await page.evaluate("touched"), await context.cookies()]).toEqual([[], [], []]);
  await page.evaluate("agree(true)");
  expect(await page.evaluate("pending")).toMatch(IMPRINT);
  expect(asked.length).toBeGreaterThan(0);
});

test("a Firefox without a driver is found to be no more through the proxy than directly", async () => {
  const profile = await mkdtemp(join(tmpdir(), "imprint-firefox-"));
  await writeFile(join(profile, "user.js"), userJs({}));
  const firefox = await findInstalled("firefox");
  const visitBy = async (path: string) => {
    const reported = new Promise<string>((resolve) => {
      onImprint = resolve;
    });
    const env = { ...process.env, HOME: profile };
    const group = startGroup(
      firefox,
      ["--headless", "--no-remote", "--profile", profile, `${shop.url}${path}#report`],
      env,
    );
    try {
      await reported;
    } finally {
      await group.stop();
    }
    return newest();
  };
  try {
    const [directly, proxied] = [await visitBy("/direct"), await visitBy("/")];
    // On some machines without a screen it has no pointer; nothing else is found.
    expect(directly.rules.filter((rule) => rule !== "automation.no-pointer")).toEqual([]);
    expect(proxied.rules).toEqual(directly.rules);
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
});
