import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { launchForPages, type PageGlobals } from "@/test/browser";
import { Report } from "@/lib/contract/report";
import { CHROME_USER_AGENT } from "@/test/visits";
import { createSite, readReport, type RunningService, type Site, startService, submissionBody } from "./service";

/** A peer that the service trusts and one that it does not, both on this machine. */
const TRUSTED = "127.0.0.1";
const STRANGER = "127.0.0.9";

const HOME = "87.128.14.20";
const OTHER_HOME = "73.1.1.1";
const HOSTING = "88.198.50.10";
const TOR = "185.220.101.34";

const { url: databaseUrl } = await createTestDatabase();
let service: RunningService;
let site: Site;
let browser: Browser;
let proxy: Server;
let shop: Server;
let proxyUrl: string;
let shopUrl: string;
/** Client IP that the trusted proxy reports for a request. */
let visitorOf: (path: string) => string;

const urlOf = (server: Server) => `http://localhost:${(server.address() as AddressInfo).port}`;

async function listen(server: Server): Promise<string> {
  server.listen(0, "localhost");
  await once(server, "listening");
  return urlOf(server);
}

type Sent = { from: string; path: string; headers?: Record<string, string>; body?: string };

/** Sends a request from a local address with exactly these headers. */
function send({ from, path, headers = {}, body = "" }: Sent): Promise<string> {
  return new Promise((resolve, reject) => {
    const own = { Origin: site.origin, "User-Agent": CHROME_USER_AGENT, "Content-Length": Buffer.byteLength(body) };
    const request = httpRequest(
      { host: TRUSTED, port: service.port, localAddress: from, method: "POST", path, headers: { ...own, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("end", () => {
          resolve(Buffer.concat(chunks).toString());
        });
      },
    );
    request.once("error", reject);
    request.end(body);
  });
}

async function reportOf(imprint: string): Promise<Report> {
  return Report.parse(await (await readReport(service.url, site.apiKey, imprint)).json());
}

/** Makes a complete visit from a local address, with `headers` on both requests; returns the address in its Report. */
async function observed(from: string, headers: Record<string, string>): Promise<string | undefined> {
  const asked = JSON.stringify({ environment_id: site.environmentId });
  const issued = await send({ from, headers, path: "/api/v1/imprints/challenge", body: asked });
  const body = submissionBody(site, JSON.parse(issued) as { challenge: string; token?: string });
  const { imprint } = JSON.parse(await send({ from, headers, path: "/api/v1/imprints", body })) as { imprint: string };
  return (await reportOf(imprint)).network.observed_ip;
}

beforeAll(async () => {
  const environment = { TRUSTED_PROXIES: TRUSTED, HOST: TRUSTED };
  [service, browser] = await Promise.all([startService({ databaseUrl, environment }), launchForPages()]);
  proxy = createServer((req, res) => {
    const headers: IncomingHttpHeaders = { ...req.headers, "x-forwarded-for": visitorOf(req.url ?? "") };
    const upstream = httpRequest(
      { host: TRUSTED, port: service.port, localAddress: TRUSTED, method: req.method, path: req.url, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(res);
      },
    );
    upstream.once("error", () => res.destroy());
    req.pipe(upstream);
  });
  proxyUrl = await listen(proxy);
  shop = createServer((_req, res) => {
    res.setHeader("Content-Type", "text/html");
    res.end(`<!doctype html><title>Shop</title><script src="${proxyUrl}/v1/imprint.js"></script>`);
  });
  shopUrl = await listen(shop);
  site = await createSite(service, shopUrl);
});
afterAll(async () => {
  for (const server of [proxy, shop]) {
    server.closeAllConnections();
    server.close();
  }
  await Promise.all([browser.close(), service.stop()]);
});

/** Makes a visit with a real Chromium through the trusted proxy. */
async function browse(visitor: (path: string) => string, timezoneId = "Europe/Berlin"): Promise<Report> {
  visitorOf = visitor;
  const context = await browser.newContext({ timezoneId });
  const page = await context.newPage();
  await page.goto(shopUrl);
  const { imprint } = await page.evaluate((environmentId) => {
    const globals: unknown = globalThis;
    return (globals as PageGlobals).Imprint.createImprint({ environmentId, timeoutMs: 60_000 }).run();
  }, site.environmentId);
  await context.close();
  return reportOf(imprint);
}

const NETWORK_REASONS = /^(PROXY|HOSTING|NETWORK|LOCATION)_/;
const networkFindings = ({ risk }: Report) => risk.findings.filter(({ reason }) => NETWORK_REASONS.test(reason));

test("a real browser's visit from an ordinary home has no network finding", async () => {
  const report = await browse(() => HOME);
  expect(networkFindings(report)).toEqual([]);
  expect(report.network).toMatchObject({
    status: "PASS",
    observed_ip: HOME,
    country_code: "DE",
    connection_type: "residential",
    proxy_detected: false,
    ip_consistency: "UNKNOWN",
    asn: 3320,
  });
});

test.each([
  ["a Tor exit", () => TOR, "Europe/Berlin", "PROXY_DETECTED", "DECEPTIVE"],
  ["a data centre", () => HOSTING, "Europe/Berlin", "HOSTING_NETWORK_DETECTED", "SUSPICIOUS"],
  [
    "a challenge issued to one network and used from another",
    (path: string) => (path.endsWith("/challenge") ? OTHER_HOME : HOME),
    "Europe/Berlin",
    "NETWORK_INCONSISTENT",
    "SUSPICIOUS",
  ],
  ["a time zone of another continent", () => HOME, "Asia/Tokyo", "LOCATION_INCONSISTENT", "SUSPICIOUS"],
] as const)(
  "a real browser's visit with %s has that finding and no other network finding",
  async (_name, visitor, zone, reason, status) => {
    const report = await browse(visitor, zone);
    expect(networkFindings(report)).toEqual([{ reason, status }]);
    expect(report.network.status).toBe(status);
  },
);

const FORGED = "8.8.8.8";

test.each([
  ["X-Forwarded-For", FORGED],
  ["X-Forwarded-For", `${FORGED}, ${TRUSTED}`],
  ["Forwarded", `for=${FORGED}`],
  ["X-Real-IP", FORGED],
  ["X-Client-IP", FORGED],
  ["X-Cluster-Client-IP", FORGED],
  ["X-Original-Forwarded-For", FORGED],
  ["CF-Connecting-IP", FORGED],
  ["True-Client-IP", FORGED],
  ["Fastly-Client-IP", FORGED],
  ["Fly-Client-IP", FORGED],
])("an untrusted peer cannot set its address with %s: %s", async (name, value) => {
  expect(await observed(STRANGER, { [name]: value })).toBeUndefined();
});

test.each([
  ["names the visitor", HOME, HOME],
  ["appends to a forged value", `${FORGED}, ${HOME}`, HOME],
  ["is behind another trusted proxy", `${FORGED}, ${HOME}, ${TRUSTED}`, HOME],
  ["sends an IPv4-mapped address", `::ffff:${HOME}`, HOME],
  ["writes IPv6 oddly", "2003:C0:8F00:0:0:0:0:1", "2003:c0:8f00::1"],
  ["sends a private address", "192.168.1.4", undefined],
  ["sends no valid address", "garbage, unknown", undefined],
  ["sends an empty value", "", undefined],
])("a trusted proxy that %s is trusted accordingly", async (_name, value, expected) => {
  expect(await observed(TRUSTED, { "X-Forwarded-For": value })).toBe(expected);
});

test("only X-Forwarded-For is accepted from a trusted proxy", async () => {
  const others = { "X-Real-IP": FORGED, "CF-Connecting-IP": FORGED, Forwarded: `for=${FORGED}` };
  expect(await observed(TRUSTED, { "X-Forwarded-For": HOME, ...others })).toBe(HOME);
});
