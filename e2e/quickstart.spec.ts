import { spawn } from "node:child_process";
import { createServer, type Server } from "node:net";
import { createInterface } from "node:readline";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { freePort } from "@/db/embedded-connection";
import { createTestDatabase } from "@/test/database";
import { launchForPages } from "@/test/browser";
import { installServerPackage } from "@/scripts/server-package/install.mjs";
import {
  PAGE_SAMPLES,
  REQUEST_LANGUAGES,
  type RequestLanguage,
  SAMPLES,
  type SampleRequest,
  SERVER_SAMPLES,
  splitAtFences,
} from "@/lib/interfaces/documents";
import { signedInContext } from "./console/console-page";
import {
  filledSample,
  LANGUAGES,
  makeFolder,
  readBySample,
  runCurlSample,
  runRequestSample,
  WRITTEN_ORIGIN,
} from "./quickstart/drivers";
import { bundleReactSample, listen, type LocalServer, openSite } from "./quickstart/site";
import { codeOf, createSite, readReport, type RunningService, type Site, startService, visit } from "./service";

const UNKNOWN = `imp_${"0".repeat(32)}`;
const REQUEST_LANGUAGE_NAMES = Object.keys(REQUEST_LANGUAGES) as RequestLanguage[];
const EMAIL = "ada@example.com";
const { url: databaseUrl } = await createTestDatabase();

let service: RunningService;
let browser: Browser;
let web: Awaited<ReturnType<typeof openSite>>;
let site: Site;
/** A server that accepts connections but never responds; `taken` counts them. */
let silent: { server: Server; url: string; taken: () => number };
let broken: LocalServer;

async function openSilent() {
  let taken = 0;
  const server = createServer(() => {
    taken += 1;
  });
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, "localhost", done));
  return { server, url: `http://localhost:${port}`, taken: () => taken };
}

beforeAll(async () => {
  [service, browser, web] = await Promise.all([startService({ databaseUrl }), launchForPages(), openSite()]);
  site = await createSite(service, web.url);
  silent = await openSilent();
  broken = await listen((request, response) => {
    response.writeHead(request.url?.includes("f".repeat(32)) ? 200 : 500, { "Content-Type": "text/html" });
    response.end("<h1>It works</h1>");
  });
}, 400_000);
afterAll(async () => {
  silent.server.close();
  await Promise.all([browser.close(), service.stop(), web.close(), broken.close()]);
});

async function sendForm(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel("E-mail").fill(EMAIL);
  await page.getByLabel("Password").fill("correct horse");
  await Promise.all([page.waitForURL(/\/sign-in$/), page.getByRole("button", { name: "Sign in" }).click()]);
}

describe.each(PAGE_SAMPLES)("the page %s", (file) => {
  const load = async () =>
    file === "sign-in.tsx"
      ? await bundleReactSample(service.url, site.environmentId)
      : { html: filledSample(file, service.url, site.environmentId) };

  test("sends an imprint with the form, under the documented CSP", async () => {
    const quickstart = await (await fetch(`${service.url}/docs/quickstart.md`)).text();
    const advised = /```\n(script-src [\s\S]*?)```/.exec(quickstart)?.[1] ?? "";
    expect(advised).toContain("worker-src  blob:;");
    // Scripts of the samples are inline or files of the site.
    const policy = `default-src 'none'; ${advised.replace("script-src ", "script-src 'self' 'unsafe-inline' ")}`;
    web.show({ ...(await load()), policy: policy.replaceAll(/\s+/g, " ") });
    const page = await browser.newPage();
    const violations: string[] = [];
    page.on("console", (message) => {
      if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
    });
    await sendForm(page, web.url);
    await page.close();
    const form = web.forms.at(-1);
    expect([form?.get("email"), form?.get("imprint")]).toEqual([EMAIL, expect.stringMatching(/^imp_[0-9a-f]{32}$/)]);
    expect((await readReport(service.url, site.apiKey, form?.get("imprint") ?? "")).status).toBe(200);
    expect(violations.filter((text) => !text.includes("favicon"))).toEqual([]);
  });

  test("sends the form without an imprint when the component is blocked", async () => {
    web.show(await load());
    const page = await browser.newPage();
    await page.route(`${service.url}/**`, (route) => route.abort());
    await sendForm(page, web.url);
    await page.close();
    expect(Object.fromEntries(web.forms.at(-1) ?? [])).toEqual({
      email: EMAIL,
      password: "correct horse",
      imprint: "",
    });
  });
});

describe.each(Object.entries(LANGUAGES))("the %s sample", (_name, language) => {
  const at = (url = service.url) => ({ url, apiKey: site.apiKey, origin: site.origin });

  test("reads a Report, distinguishes refusals by code, and sends no request for a malformed imprint", async () => {
    const imprint = await visit(service.url, site, { surface: "sign-in" });
    const outcomes = await readBySample(language, at(), [imprint, UNKNOWN, imprint]);
    const { risk } = (await (await readReport(service.url, site.apiKey, imprint)).json()) as {
      risk: { status: string };
    };
    const found = { status: risk.status, problem: null };
    const refusedAs = (problem: string | null) => ({ status: null, problem });
    const again = language.words.again === null ? found : refusedAs(language.words.again);
    expect(outcomes).toEqual([found, refusedAs(language.words.unknown), again]);
    const refused = await readBySample(language, { ...at(), apiKey: "svc_live_wrong" }, [imprint]);
    expect(refused).toEqual([refusedAs(language.words.key)]);
    const takenBefore = silent.taken();
    const malformed = [
      "../x",
      "../../healthz",
      `${imprint}\n`,
      `${imprint}/../x`,
      `${imprint}?a`,
      imprint.toUpperCase(),
    ];
    const ignored = await readBySample(language, at(silent.url), ["", ...malformed]);
    const { missing, malformed: wrong } = language.words;
    expect(ignored).toEqual([refusedAs(missing), ...malformed.map(() => refusedAs(wrong))]);
    expect(silent.taken()).toBe(takenBefore);
  });

  test("continues without a Report when the service hangs, is down or is broken", async () => {
    const unreachable = { status: null, problem: language.words.away };
    const startedAt = performance.now();
    expect(await readBySample(language, at(silent.url), [UNKNOWN])).toEqual([unreachable]);
    expect(silent.taken()).toBeGreaterThan(0);
    // Two seconds, plus the start of a program, and for Go its compiler.
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    const away = `http://localhost:${await freePort()}`;
    expect(await readBySample(language, at(away), [UNKNOWN])).toEqual([unreachable]);
    const pages = [UNKNOWN, `imp_${"f".repeat(32)}`];
    expect(await readBySample(language, at(broken.url), pages)).toEqual([unreachable, unreachable]);
  });
});

test("the curl sample prints the Report or the refusal, sends no request for a malformed imprint, and times out", async () => {
  const imprint = await visit(service.url, site);
  const at = { url: service.url, apiKey: site.apiKey };
  expect(await runCurlSample(at, imprint)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(imprint) as string,
  });
  expect(await runCurlSample(at, UNKNOWN)).toMatchObject({
    code: 22,
    stdout: expect.stringContaining("report_not_found") as string,
  });
  const takenBefore = silent.taken();
  expect(await runCurlSample({ ...at, url: silent.url }, "../x")).toEqual({ code: 1, stdout: "" });
  expect(silent.taken()).toBe(takenBefore);
  expect(await runCurlSample({ ...at, url: silent.url }, UNKNOWN)).toEqual({ code: 28, stdout: "" });
});

test.each(REQUEST_LANGUAGE_NAMES)(
  "the API reference's samples in %s send their request and print its answer",
  async (name) => {
    const key = await service.admin(
      "management-key",
      "create",
      "--workspace",
      site.workspaceId,
      "--name",
      "CI",
      "--scope",
      "web_apps",
      "--scope",
      "origins",
    );
    const credentials = { IMPRINT_KEY: site.apiKey, IMPRINT_MANAGEMENT_KEY: key["management_key"] ?? "" };
    const send = (request: SampleRequest) => runRequestSample(name, request, { url: service.url, credentials });
    const imprint = await visit(service.url, site);
    const report = { method: "GET", path: `/api/v1/fingerprint/report/${imprint}`, security: "apiKey" } as const;
    expect(await send(report)).toMatchObject({ imprint });
    // Every character that ends or escapes a string in one of the languages.
    const body = { name: `Joe's "shop" \\ \`$HOME\` %s é` };
    const create = { method: "POST", path: "/api/v1/manage/web-apps", security: "managementKey", body } as const;
    const made = (await send(create)) as { web_app_id: string };
    expect(made).toMatchObject(body);
    const origin = `/api/v1/manage/web-apps/${made.web_app_id}/origins?origin=https%3A%2F%2Fx.example`;
    expect(await send({ method: "DELETE", path: origin, security: "managementKey" })).toMatchObject({ removed: false });
    expect(await send({ method: "GET", path: "/api/v1/agent/products", security: "none" })).toHaveProperty("products");
    await expect(send({ ...report, path: `/api/v1/fingerprint/report/${UNKNOWN}` })).rejects.toThrow();
  },
);

/** Code blocks of the served quickstart by title, as a reader would copy them. */
async function copyQuickstart(): Promise<Map<string, string>> {
  const markdown = await (await fetch(`${service.url}/docs/quickstart.md`)).text();
  const fences = splitAtFences(markdown).flatMap((piece) => (piece.kind === "code" ? piece.fences : []));
  return new Map(fences.map(({ title = "", code }) => [title, code]));
}

/** Runs the quickstart's files with the package that it says to install. */
async function runQuickstart({ "report.mjs": report = "", ...files }: Record<string, string>) {
  const port = await freePort();
  const ownReport = report.replace(WRITTEN_ORIGIN, `http://localhost:${port}`);
  const { folder, remove } = makeFolder({ ...files, "report.mjs": ownReport });
  await installServerPackage(folder);
  const child = spawn(process.execPath, ["server.mjs"], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), IMPRINT_KEY: site.apiKey },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = String((await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()).value);
  const close = () => {
    child.kill();
    remove();
  };
  return { url, port, close };
}

test("the served quickstart, with the environment id filled in, works from the page to the decision", async () => {
  const code = await copyQuickstart();
  const files = {
    "sign-in.html": (code.get("Script tag") ?? "").replaceAll("env_…", site.environmentId),
    "report.mjs": code.get("Node") ?? "",
    "server.mjs": code.get("server.mjs") ?? "",
  };
  const shop = await runQuickstart(files);
  try {
    await service.admin("origin", "add", "--web-app", site.webAppId, "--origin", shop.url);
    const page = await browser.newPage();
    await sendForm(page, shop.url);
    const answer = JSON.parse((await page.textContent("body")) ?? "") as {
      decision: string;
      problem: null;
      risk: object;
    };
    await page.close();
    expect(answer).toMatchObject({ decision: "second factor", problem: null, risk: { status: "DECEPTIVE" } });
    const send = async (imprint: string) =>
      (
        await fetch(`${shop.url}/sign-in`, { method: "POST", body: new URLSearchParams({ imprint }) })
      ).json() as Promise<unknown>;
    expect(await send(UNKNOWN)).toMatchObject({ decision: "refused", problem: "not_found" });
    expect(await send("../../../../healthz")).toMatchObject({ decision: "refused", problem: "malformed" });
    expect(await send("")).toMatchObject({ decision: "second factor", problem: "missing" });
    expect(await codeOf(await readReport(service.url, site.apiKey, UNKNOWN))).toBe("report_not_found");
  } finally {
    shop.close();
  }
  const cutOff = await runQuickstart({
    ...files,
    "report.mjs": files["report.mjs"].replaceAll(service.url, silent.url),
  });
  const answer = await fetch(`${cutOff.url}/sign-in`, {
    method: "POST",
    body: new URLSearchParams({ imprint: UNKNOWN }),
  });
  expect(await answer.json()).toMatchObject({ decision: "second factor", problem: "unavailable" });
  cutOff.close();
});

test("the Console shows the same files, with the Web App's environment id and the service's URL", async () => {
  await service.admin("member", "add", "--workspace", site.workspaceId, "--email", EMAIL, "--role", "owner");
  const context = await signedInContext(browser, service, EMAIL);
  const page = await context.newPage();
  await page.goto(`${service.url}/w/${site.workspaceId}/web-apps/${site.webAppId}`);
  const shown = (label: string) => page.locator(`pre[aria-label="${label}"]`).textContent();
  for (const file of PAGE_SAMPLES)
    expect(await shown(`On your page, ${SAMPLES[file].name}`)).toBe(
      filledSample(file, service.url, site.environmentId).trimEnd(),
    );
  for (const file of SERVER_SAMPLES)
    expect(await shown(`On your server, ${SAMPLES[file].name}`)).toBe(filledSample(file, service.url).trimEnd());
  await context.close();
});
