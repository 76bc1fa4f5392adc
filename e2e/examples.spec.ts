import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { launchForPages } from "@/test/browser";
import { createImprintServer } from "@/packages/server";
import { EXAMPLES, type ExampleName, PROXIED_PAGE, startExample } from "./examples/sites";
import { ROOT } from "./process/service";
import { createSite, type RunningService, type Site, startService, visit } from "./service";

const UNKNOWN = `imp_${"0".repeat(32)}`;
const { url: databaseUrl } = await createTestDatabase();

let service: RunningService;
let browser: Browser;
let site: Site;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ databaseUrl }), launchForPages()]);
  site = await createSite(service);
}, 400_000);
afterAll(() => Promise.all([browser.close(), service.stop()]));

const linesOf = (...files: string[]) =>
  files
    .map(
      (file) =>
        readFileSync(join(ROOT, "examples", file), "utf8")
          .trimEnd()
          .split("\n").length,
    )
    .reduce((sum, lines) => sum + lines, 0);

const signInByPost = async (url: string, imprint: unknown) => {
  const body = new URLSearchParams(
    Array.isArray(imprint) ? imprint.map((each) => ["imprint", String(each)]) : { imprint: String(imprint) },
  );
  return (await fetch(url, { method: "POST", body })).text();
};

/** Signs in by hand; returns what the page then says, and the imprint it sent. */
async function signIn(page: Page, origin: string, name: ExampleName, path = "/") {
  const isForm = (url: string) => url.startsWith(origin) && !/\/_?i\//.test(url);
  const sent = page.waitForRequest((request) => request.method() === "POST" && isForm(request.url()));
  await page.goto(origin + path);
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByRole("button", { name: "Sign in" }).click();
  const [imprint] = /imp_[0-9a-f]{32}/.exec((await sent).postData() ?? "") ?? [];
  const status = name === "next" ? page.getByRole("status") : page.locator("body");
  await status.getByText(/Signed in|Second factor/).waitFor();
  return { imprint, answer: await status.textContent() };
}

/** Third parties, and first-party paths whose names reveal their purpose. */
const blockList = () => [
  new URL(service.url).host,
  "/v1/imprint",
  "/api/v1/",
  "fingerprint",
  "/imprint.",
  "/collect",
  "/track",
];

/** Makes three visits through a site's own proxy. */
async function visitUnderBlockList(origin: string, page: string, name: ExampleName) {
  await service.admin("origin", "add", "--web-app", site.webAppId, "--origin", origin);
  // The load balancer in front of a Next site sets the visitor's IP address like this.
  const context = await browser.newContext({ extraHTTPHeaders: { "x-real-ip": "198.51.100.7" } });
  const blocked: string[] = [];
  await context.route(
    (url) => blockList().some((part) => url.href.includes(part)),
    (route) => {
      blocked.push(route.request().url());
      return route.abort();
    },
  );
  const imprints = new Set<string>();
  for (let visits = 0; visits < 3; visits += 1) {
    const opened = await context.newPage();
    const { imprint = "", answer } = await signIn(opened, origin, name, page);
    expect(answer).toBe("Signed in: DECEPTIVE");
    imprints.add(imprint);
    await opened.close();
  }
  expect([imprints.size, blocked]).toEqual([3, []]);
  const [token, ...others] = await context.cookies();
  expect(others).toEqual([]);
  expect(token).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  await context.close();
}

describe.each(EXAMPLES)("the site made with %s", (name) => {
  let example: Awaited<ReturnType<typeof startExample>>;
  beforeAll(async () => {
    example = await startExample(name, service.url, site);
    await service.admin("origin", "add", "--web-app", site.webAppId, "--origin", example.origin);
  });
  afterAll(() => example.stop());

  test("signs in a person with a browser, once per imprint, and requires a second factor without one", async () => {
    const page = await browser.newPage();
    const { imprint, answer } = await signIn(page, example.origin, name);
    expect(answer).toBe("Signed in: DECEPTIVE");
    await page.close();
    const url = `${example.origin}/sign-in`;
    expect(await signInByPost(url, imprint)).toBe("Second factor: already_used");
    expect(await signInByPost(url, UNKNOWN)).toBe("Second factor: not_found");
    expect(await signInByPost(url, "")).toBe("Second factor: missing");
    expect(await signInByPost(url, "../../healthz")).toBe("Second factor: malformed");
    expect(await signInByPost(url, await visit(service.url, site, { surface: "sign-in" }))).toBe(
      "Second factor: wrong_origin",
    );
  });

  test("still signs people in when the component is blocked", async () => {
    const page = await browser.newPage();
    await page.route(`${service.url}/**`, (route) => route.abort());
    await page.goto(example.origin);
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Second factor: missing").waitFor();
    await page.close();
  });

  if (name === "next")
    test("signs people in through its proxy despite a block list, and no visit is lost", async () => {
      await visitUnderBlockList(example.origin, PROXIED_PAGE, name);
    });
});

test("the site made with express, with its proxy, signs people in despite a block list, and no visit is lost", async () => {
  const example = await startExample("express", service.url, site, { isProxied: true });
  await visitUnderBlockList(example.origin, "/", "express");
  await example.stop();
});

test("each site has fewer than 40 lines, including the page", () => {
  for (const name of ["express", "fastify", "hono"] as const)
    expect(linesOf("sites/page.mjs", `sites/${name}.mjs`)).toBeLessThan(name === "express" ? 40 : 45);
  const files = readdirSync(join(ROOT, "examples/next/app")).filter((file) => /\.tsx?$/.test(file));
  expect(linesOf(...files.map((file) => `next/app/${file}`))).toBeLessThan(40);
});

describe("the package against the real service", () => {
  const expected = () => ({ surface: "sign-in", origin: site.origin });
  const client = (apiKey = site.apiKey) => createImprintServer({ endpoint: service.url, apiKey, timeoutMs: 20_000 });
  const made = () => visit(service.url, site, { surface: "sign-in" });

  test("one acceptance id always gets the same answer, and no other id gets the imprint", async () => {
    const imprint = await made();
    const accept = (acceptance: string) => client().acceptImprint(imprint, { ...expected(), acceptance });
    const ids = Array.from({ length: 12 }, (_, index) => `attempt-${index % 3}`);
    const answers = await Promise.all(ids.map(accept));
    const winners = new Set(ids.filter((_, index) => answers[index]?.accepted));
    expect(winners.size).toBe(1);
    expect(answers.map(({ accepted }) => accepted)).toEqual(ids.map((id) => winners.has(id)));
    for (const answer of answers) if (!answer.accepted) expect(answer.reason).toBe("already_used");
    expect(await accept([...winners].join())).toMatchObject({ accepted: true, delivery: "first" });
  });

  test("an imprint of another surface, page, time or workspace is rejected with its reason", async () => {
    const imprint = await made();
    const accept = (options: object) => client().acceptImprint(imprint, { ...expected(), acceptance: "a", ...options });
    expect(await accept({ surface: "payment" })).toMatchObject({ reason: "wrong_surface", report: { imprint } });
    expect(await accept({ origin: "https://other.example" })).toMatchObject({ reason: "wrong_origin" });
    // From this machine, so the Report has no public address.
    expect(await accept({ address: "203.0.113.7" })).toMatchObject({ reason: "wrong_address" });
    while (((await client().report(imprint)).ageSeconds ?? 0) < 1);
    expect(await accept({ maxAgeSeconds: 0 })).toMatchObject({ reason: "too_old" });
    expect(await accept({})).toMatchObject({ accepted: true, surface: "sign-in", origin: site.origin });
    const other = await createSite(service);
    expect(await client(other.apiKey).acceptImprint(imprint, expected())).toMatchObject({ reason: "not_found" });
    expect(await client("svc_live_wrong").acceptImprint(imprint, expected())).toMatchObject({
      reason: "misconfigured",
      code: "auth_failed",
    });
  });

  test("accounts and History are available through the package", async () => {
    const imprint = await made();
    const accept = (accountRef: string) =>
      client().acceptImprint(imprint, { ...expected(), acceptance: "a", accountRef });
    expect(await accept("42")).toMatchObject({ accepted: true, report: { account_map: { accounts_on_device: 1 } } });
    expect(await accept("43")).toMatchObject({ accepted: false, reason: "account_conflict" });
    expect(await client().history(imprint, { days: 1, recent: 1 })).toMatchObject({
      imprint,
      recent: [{ surface: "sign-in" }],
    });
    await expect(client().history(imprint, { days: 999 })).rejects.toMatchObject({ code: "invalid_request" });
  });
});
