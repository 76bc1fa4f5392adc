import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { launchChromium, type PageGlobals } from "@/test/browser";
import { Report } from "@/lib/contract/report";
import { readReport } from "@/test/visits";
import { HOME, HOSTING, openProbeFixture, type ProbeFixture } from "./probe-fixture";

const { db } = await createTestDatabase();
let fixture: ProbeFixture;
const open: { close: () => unknown }[] = [];

beforeAll(async () => {
  fixture = await openProbeFixture(db);
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => fixture.close());

type Visit = { args?: string[]; timezoneId?: string; before?: string; route?: (url: string) => object | undefined };

/**
 * Makes a visit with a real Chromium; returns its Report, and the milliseconds between the challenge response and the
 * submission.
 */
async function visit({ args = [], timezoneId, before, route }: Visit = {}) {
  const browser = await launchChromium(args);
  open.push(browser);
  const page = await browser.newPage(timezoneId === undefined ? {} : { timezoneId });
  if (before !== undefined) await page.addInitScript(before);
  if (route)
    await page.route("**/api/v1/imprints/challenge", async (request) => {
      const response = await request.fetch();
      const json = (await response.json()) as { probe?: { urls: string[] } };
      await request.fulfill({ response, json: { ...json, ...route(json.probe?.urls[0] ?? "") } });
    });
  await page.goto(fixture.pageUrl);
  const { imprint, waitMs } = await page.evaluate(async (environmentId) => {
    const globals: unknown = globalThis;
    const { createImprint } = (globals as PageGlobals).Imprint;
    const result = await createImprint({ environmentId, timeoutMs: 60_000 }).run();
    const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const [challenge, submission] = [/imprints\/challenge$/, /imprints$/].map((path) =>
      entries.findLast(({ name }) => path.test(name)),
    );
    return { ...result, waitMs: (submission?.startTime ?? 0) - (challenge?.responseEnd ?? 0) };
  }, fixture.site.environmentId);
  const report = Report.parse(await (await readReport(fixture.site.apiKey, imprint)).json());
  return { network: report.network, findings: report.risk.findings, waitMs };
}

/**
 * Makes a visit whose datagram was answered within the component's one-second limit. On a machine that starts many
 * browsers at once the first one may be slower; then it is a normal visit without a comparison.
 */
async function comparedVisit(options: Visit = {}) {
  let last = await visit(options);
  for (let tries = 1; last.network.ip_consistency === "UNKNOWN" && tries < 5; tries++) last = await visit(options);
  return last;
}

const THROUGH_PROXY = () => [`--proxy-server=${fixture.proxyUrl}`, "--proxy-bypass-list=<-loopback>"];

test("a browser whose datagram has the same source address as its requests is a MATCH", async () => {
  const { network } = await comparedVisit();
  expect(network).toMatchObject({
    status: "PASS",
    observed_ip: HOME.address,
    alternate_ip: HOME.address,
    ip_consistency: "MATCH",
    proxy_detected: false,
    connection_type: "residential",
  });
});

test("a browser behind a proxy in a data centre is a proven MISMATCH, whatever its page says", async () => {
  const { network, findings } = await comparedVisit({ args: THROUGH_PROXY() });
  expect(network).toMatchObject({
    status: "DECEPTIVE",
    observed_ip: HOSTING.address,
    alternate_ip: HOME.address,
    ip_consistency: "MISMATCH",
    proxy_detected: true,
    connection_type: "hosting",
  });
  expect(findings).toEqual(
    expect.arrayContaining([
      { reason: "PROXY_DETECTED", status: "DECEPTIVE" },
      { reason: "HOSTING_NETWORK_DETECTED", status: "SUSPICIOUS" },
      { reason: "NETWORK_INCONSISTENT", status: "DECEPTIVE" },
    ]),
  );
});

test("a browser that sends no datagram outside its proxy is not compared and gets no finding", async () => {
  const args = [...THROUGH_PROXY(), "--webrtc-ip-handling-policy=disable_non_proxied_udp"];
  const { network, findings } = await visit({ args });
  expect(network).toMatchObject({ observed_ip: HOSTING.address, ip_consistency: "UNKNOWN" });
  expect(network).not.toHaveProperty("alternate_ip");
  expect(findings.map(({ reason }) => reason)).not.toContain("NETWORK_INCONSISTENT");
});

test("without WebRTC, or without the probe's script, the visit is a normal one", async () => {
  const absent = await visit({ before: "delete globalThis.RTCPeerConnection" });
  const throwing = await visit({
    before: "globalThis.RTCPeerConnection = function () { throw new Error('blocked'); }",
  });
  for (const { network } of [absent, throwing]) {
    expect(network).toMatchObject({ observed_ip: HOME.address, ip_consistency: "UNKNOWN" });
    expect(network).not.toHaveProperty("alternate_ip");
  }
});

/** A port that accepts datagrams and never answers; without a time limit the browser would wait for many seconds. */
async function openSilentPort(): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.bind(0, HOME.local);
  await once(socket, "listening");
  open.push(socket);
  return socket;
}

test("a probe that never answers delays the run by at most its one-second limit", async () => {
  const { port } = (await openSilentPort()).address();
  const { network, waitMs } = await visit({
    route: () => ({ probe: { urls: [`turn:127.0.0.1:${port}?transport=udp`], username: "a", credential: "b" } }),
  });
  expect(network).toMatchObject({ ip_consistency: "UNKNOWN" });
  // One second, plus what a slow machine takes to continue.
  expect(waitMs).toBeLessThan(5_000);
});

test("probe credentials of another challenge do not affect this visit", async () => {
  const { network } = await visit({
    route: (url) => ({ probe: { urls: [url], username: `${"0".repeat(32)}.zzzzzz`, credential: "forged" } }),
  });
  expect(network).toMatchObject({ ip_consistency: "UNKNOWN" });
});
