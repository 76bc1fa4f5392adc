import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { launchChromium } from "@/test/browser";
import { type Reason, Report } from "@/lib/contract/report";
import { createSite, readReport, type RunningService, type Site, startService } from "./service";

/** Generous, because a browser may start on a busy machine. */
const VISIT_TIMEOUT_MS = 90_000;
const WINDOWS_CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

let service: RunningService;
let site: Site;
let browser: Browser;
let pages: Server;
/** Called when a page of the site has reported its imprint. */
let onImprint: (imprint: string) => void = () => undefined;

/** A page that reports by itself, so that browsers without a driver can visit it. */
const page = () => `<!doctype html><title>Shop</title><script src="${service.url}/v1/imprint.js"></script>
<script>Imprint.createImprint({ environmentId: "${site.environmentId}" }).run()
  .then(({ imprint }) => fetch("/imprint", { method: "POST", body: imprint }));</script>`;

function openPages(): Server {
  return createServer((request, response) => {
    if (request.method !== "POST") {
      response.writeHead(200, { "Content-Type": "text/html" }).end(request.url === "/" ? page() : "");
      return;
    }
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      response.writeHead(204).end();
      onImprint(body);
    });
  });
}

beforeAll(async () => {
  pages = openPages().listen(0, "localhost");
  await once(pages, "listening");
  const origin = `http://localhost:${(pages.address() as AddressInfo).port}`;
  const { url: databaseUrl } = await createTestDatabase();
  [service, browser] = await Promise.all([startService({ databaseUrl }), launchChromium()]);
  site = await createSite(service, origin);
});
afterAll(async () => {
  await browser.close();
  pages.closeAllConnections();
  pages.close();
  await service.stop();
});

/** The Report of a visit made by `visit`. */
async function reportOf(visit: (url: string) => Promise<unknown>): Promise<Report> {
  const reported = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error("The page did not report an imprint in time."));
    }, VISIT_TIMEOUT_MS);
    onImprint = (imprint) => {
      clearTimeout(timer);
      resolve(imprint);
    };
  });
  const [imprint] = await Promise.all([reported, visit(site.origin)]);
  return Report.parse(await (await readReport(service.url, site.apiKey, imprint)).json());
}

/** A Playwright visit in a new context, with `script` running before everything else on the page. */
async function driven(options: BrowserContextOptions = {}, script = ""): Promise<Report> {
  const context = await browser.newContext(options);
  try {
    await context.addInitScript(script);
    return await reportOf(async (url) => (await context.newPage()).goto(url));
  } finally {
    await context.close();
  }
}

const statusOf = ({ risk }: Report, reason: Reason) =>
  risk.findings.find((finding) => finding.reason === reason)?.status;

test("an automated browser is DECEPTIVE with AUTOMATION_DETECTED, and so is the browser section", async () => {
  const report = await driven();
  expect(statusOf(report, "AUTOMATION_DETECTED")).toBe("DECEPTIVE");
  expect(report).toMatchObject({ risk: { status: "DECEPTIVE" }, browser: { status: "DECEPTIVE" } });
  expect(report.risk.reasons).toEqual(report.risk.findings.map(({ reason }) => reason));
});

test("a false version, browser and system give three reasons, each DECEPTIVE", async () => {
  const report = await driven({ userAgent: WINDOWS_CHROME });
  expect(statusOf(report, "BROWSER_VERSION_MISMATCH")).toBe("DECEPTIVE");
  expect(statusOf(report, "BROWSER_IDENTITY_MISMATCH")).toBe("DECEPTIVE");
  expect(report.browser.status).toBe("DECEPTIVE");
});

test("a false system is DECEPTIVE with OS_ENVIRONMENT_MISMATCH", async () => {
  const asPhone = WINDOWS_CHROME.replace("Windows NT 10.0; Win64; x64", "Linux; Android 10; K");
  const statuses = [];
  // This machine cannot be both.
  for (const userAgent of [WINDOWS_CHROME, asPhone])
    statuses.push(statusOf(await driven({ userAgent }), "OS_ENVIRONMENT_MISMATCH"));
  expect(statuses).toContain("DECEPTIVE");
});

test("a page that shows a different core count than its worker is ENVIRONMENT_INCONSISTENT, which appears in no single section", async () => {
  const report = await driven(
    {},
    'Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 96, configurable: true });',
  );
  expect(statusOf(report, "ENVIRONMENT_INCONSISTENT")).toBe("SUSPICIOUS");
  expect(report.operating_system.status).toBe("PASS");
});

test("Chromium without client hints is SIGNAL_DATA_INCOMPLETE", async () => {
  const report = await driven({}, "delete Navigator.prototype.userAgentData;");
  expect(statusOf(report, "SIGNAL_DATA_INCOMPLETE")).toBe("SUSPICIOUS");
});
