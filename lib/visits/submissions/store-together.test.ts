import { expect, test } from "vitest";

import { countRoundTrips } from "@/db/client";
import { createTestDatabase } from "@/test/database";
import { createSite, readReport, requestChallenge, type Site, submissionBody, submit, visit } from "@/test/visits";

const { db } = await createTestDatabase();

type Answer = { imprint: string };
type Device = { device: { id: string; access_count: number } };

const addressOf = (index: number): string => `198.51.${index >> 8}.${index & 255}`;

/** Submits one visit for each token at the same time. */
async function submitAll(site: Site, tokens: readonly (string | undefined)[]) {
  const bodies = await Promise.all(
    tokens.map(async (token, index) => {
      const { challenge } = await requestChallenge(site, { token, address: addressOf(index) });
      return submissionBody(site, { challenge, token, timings: { total: 80 + index, challenge: 20, signals: {} } });
    }),
  );
  return {
    bodies,
    send: () => Promise.all(bodies.map((body, index) => submit(site, body, { address: addressOf(index) }))),
  };
}

async function devicesOf(site: Site, responses: readonly Response[]): Promise<Device["device"][]> {
  const answers = await Promise.all(responses.map(async (response) => (await response.json()) as Answer));
  const reports = await Promise.all(answers.map(({ imprint }) => readReport(site.apiKey, imprint)));
  return Promise.all(reports.map(async (report) => ((await report.json()) as Device).device));
}

test("30 visits at the same time take far fewer statements than one by one, and each is stored with its own device", async () => {
  const site = await createSite(db, { plan: "enterprise" });
  await visit(site);
  const { send } = await submitAll(site, Array.from({ length: 30 }));
  const { result, statements } = await countRoundTrips(send);
  expect(result.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 201));
  const storing = statements.filter((text) => /^with input as|^\/\* store visit \*\//.test(text));
  expect(storing.length).toBeGreaterThan(0);
  expect(storing.length).toBeLessThanOrEqual(12);
  const devices = await devicesOf(site, result);
  expect(new Set(devices.map(({ id }) => id)).size).toBe(30);
  expect(devices.every(({ access_count: count }) => count === 1)).toBe(true);
});

test("visits of the same devices at the same time each get a position of their own", async () => {
  const site = await createSite(db, { plan: "enterprise" });
  const tokens = await Promise.all(
    [1, 2, 3].map(async (index) => (await visit(site, { address: addressOf(index) })).token),
  );
  const { send } = await submitAll(
    site,
    Array.from({ length: 30 }, (_, index) => tokens[index % tokens.length]),
  );
  const responses = await send();
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 201));
  const positions = new Map<string, number[]>();
  for (const { id, access_count: count } of await devicesOf(site, responses))
    positions.set(id, [...(positions.get(id) ?? []), count]);
  const expected = Array.from({ length: 10 }, (_, index) => index + 2);
  expect([...positions.values()].map((counts) => counts.toSorted((a, b) => a - b))).toEqual([
    expected,
    expected,
    expected,
  ]);
});

test("submissions that are sent twice at the same time are one visit each", async () => {
  const site = await createSite(db, { plan: "enterprise" });
  await visit(site);
  const { send } = await submitAll(site, Array.from({ length: 10 }));
  const responses = (await Promise.all([send(), send()])).flat();
  const answers = await Promise.all(responses.map(async (response) => (await response.json()) as Answer));
  const imprints = answers.map(({ imprint }) => imprint);
  expect(imprints.slice(10)).toEqual(imprints.slice(0, 10));
  expect(new Set(imprints).size).toBe(10);
});
