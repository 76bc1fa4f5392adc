import { randomBytes } from "node:crypto";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { Report } from "@/lib/contract/report";
import { launch, makeDataDir, removeDataDir } from "./process/service";
import {
  createSite,
  readReport,
  requestChallenge,
  type RunningService,
  type Site,
  startService,
  submissionBody,
  submit,
  visit,
} from "./service";

const newSecrets = () => ({
  AUTH_SECRET: randomBytes(32).toString("base64url"),
  KEY_PEPPER: `k1:${randomBytes(32).toString("base64")}`,
  KEKS: `k1:${randomBytes(32).toString("base64")}`,
});

const { url: databaseUrl } = await createTestDatabase();
const secrets = newSecrets();
/** The first replica trusts loopback proxies, the second trusts none. */
let first: RunningService;
let second: RunningService;
let site: Site;

beforeAll(async () => {
  first = await startService({ databaseUrl, environment: { ...secrets, TRUSTED_PROXIES: "loopback" } });
  second = await startService({ databaseUrl, environment: secrets });
  site = await createSite(first);
});
afterAll(() => Promise.all([first.stop(), second.stop()]));

const networkOf = async (service: RunningService, imprint: string) =>
  Report.parse(await (await readReport(service.url, site.apiKey, imprint)).json()).network;

test("two replicas on one database serve the same data, even if the steps of a visit alternate between them", async () => {
  const issued = await requestChallenge(first.url, site);
  const body = submissionBody(site, issued);
  const submitted = await submit(second.url, site, body);
  expect(submitted.status).toBe(201);
  const answer = await submitted.text();
  expect(await (await submit(first.url, site, body)).text()).toBe(answer);
  const { imprint } = JSON.parse(answer) as { imprint: string };
  const [one, other] = await Promise.all([first, second].map(({ url }) => readReport(url, site.apiKey, imprint)));
  expect([one?.status, other?.status]).toEqual([200, 200]);
  expect(await one?.text()).toBe(await other?.text());
});

test("50 concurrent submissions of one new token over both replicas are one device with 50 distinct counts", async () => {
  const { token = "" } = await requestChallenge(first.url, site);
  const imprints = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      visit((index % 2 === 0 ? first : second).url, site, {
        token,
        headers: { "X-Forwarded-For": `198.51.100.${index}` },
      }),
    ),
  );
  const reports = await Promise.all(
    imprints.map(async (imprint) => Report.parse(await (await readReport(second.url, site.apiKey, imprint)).json())),
  );
  expect(new Set(reports.map(({ device }) => device.id)).size).toBe(1);
  expect(reports.map(({ device }) => device.access_count).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
});

test("a client's X-Forwarded-For has no effect unless the peer is a trusted proxy", async () => {
  const forged = {
    "X-Forwarded-For": "1.2.3.4",
    "X-Real-IP": "1.2.3.4",
    "CF-Connecting-IP": "1.2.3.4",
    "True-Client-IP": "1.2.3.4",
    Forwarded: "for=1.2.3.4",
  };
  const without = await networkOf(second, await visit(second.url, site));
  expect(await networkOf(second, await visit(second.url, site, { headers: forged }))).toEqual(without);
  expect(without.observed_ip).toBeUndefined();
  expect((await networkOf(first, await visit(first.url, site, { headers: forged }))).observed_ip).toBe("1.2.3.4");
  // Entries that a client puts before the proxy's own are not trusted either.
  const chained = { "X-Forwarded-For": "1.2.3.4, 8.8.8.8" };
  expect((await networkOf(first, await visit(first.url, site, { headers: chained }))).observed_ip).toBe("8.8.8.8");
});

test.each(["AUTH_SECRET", "KEY_PEPPER", "KEKS"] as const)(
  "a replica with a different %s refuses to start and names it, and the others keep running",
  async (name) => {
    const dataDir = makeDataDir();
    const environment = { ...secrets, [name]: newSecrets()[name], DATABASE_URL: databaseUrl };
    const refused = launch({ dataDir, environment });
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toMatch(
      new RegExp(`Imprint could not start: ${name} .*is not the secret that this database`),
    );
    expect(refused.output()).not.toContain(environment[name]);
    expect((await readReport(first.url, site.apiKey, await visit(first.url, site))).status).toBe(200);
    removeDataDir(dataDir);
  },
);
