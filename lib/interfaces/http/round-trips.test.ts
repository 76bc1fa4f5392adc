import { expect, test } from "vitest";

import { countRoundTrips } from "@/db/client";
import { createKey } from "@/lib/tenancy/api-keys";
import { createTestDatabase } from "@/test/database";
import { CHALLENGE_PATH, forward, proxyKeyOf, signVisitor, SUBMISSION_PATH } from "@/test/signed-visitor";
import {
  call,
  createSite,
  readReport,
  requestChallenge,
  type Site,
  submissionBody,
  submit,
  visit,
} from "@/test/visits";
import { operatorContext } from "@/test/workspaces";

const { db } = await createTestDatabase();

/** Statements that a process writes in batches, outside any request. */
const BESIDE = /usage_batches|api_key_uses|update "api_keys"/;
const LIMITER = /rate_buckets/;

/** The statements of one request without the batched ones, and how many of them the limiter sent. */
async function statementsOf(status: number, ask: () => Promise<Response>) {
  const { result, statements } = await countRoundTrips(ask);
  expect(result.status).toBe(status);
  const own = statements.filter((text) => !BESIDE.test(text));
  return {
    read: own.filter((text) => !LIMITER.test(text)),
    limiter: own.filter((text) => LIMITER.test(text)).length,
  };
}

const isSelect = (text: string) => /^\s*select\b/i.test(text);

/** A workspace whose first unit of the month is used, and whose key was used within the minute. */
async function createBusySite(): Promise<Site> {
  const site = await createSite(db);
  const { imprint } = await visit(site);
  expect((await readReport(site.apiKey, imprint, { "x-account-ref": "first" })).status).toBe(200);
  return site;
}

test("reading a Report sends exactly as many statements as listed here; reading it again writes nothing", async () => {
  const site = await createBusySite();
  const [plain, linked] = [await visit(site), await visit(site)];
  const account = { "x-account-ref": "42" };
  const first = await statementsOf(200, () => readReport(site.apiKey, plain.imprint));
  const again = await statementsOf(200, () => readReport(site.apiKey, plain.imprint));
  const firstLinked = await statementsOf(200, () => readReport(site.apiKey, linked.imprint, account));
  const againLinked = await statementsOf(200, () => readReport(site.apiKey, linked.imprint, account));
  const lateLink = await statementsOf(200, () => readReport(site.apiKey, plain.imprint, account));
  const missing = await statementsOf(404, () => readReport(site.apiKey, `imp_${"0".repeat(32)}`));
  const counts = { first, again, firstLinked, againLinked, lateLink, missing };
  expect(Object.fromEntries(Object.entries(counts).map(([name, { read }]) => [name, read.length]))).toEqual({
    first: 2,
    again: 1,
    firstLinked: 3,
    againLinked: 2,
    lateLink: 4,
    missing: 1,
  });
  // Permits are leased in batches for a tenth of a second, so a request takes at most one lease.
  for (const [name, { limiter }] of Object.entries(counts)) expect([name, limiter <= 1]).toEqual([name, true]);
  for (const { read } of [again, againLinked, missing]) expect(read.filter(isSelect)).toEqual(read);
});

test("a browser's operations send exactly as many statements as listed here, including the limiter's", async () => {
  const site = await createSite(db);
  const from = { address: "198.51.100.7" };
  const { token } = await visit(site, from);
  const challenge = await statementsOf(200, () =>
    call("/api/v1/imprints/challenge", {
      method: "POST",
      headers: { origin: site.origin },
      body: JSON.stringify({ environment_id: site.environmentId, token }),
      ...from,
    }),
  );
  const submitted = async (given: string | undefined) => {
    const issued = await requestChallenge(site, { token: given, ...from });
    const body = submissionBody(site, { challenge: issued.challenge, token: given });
    return {
      fresh: await statementsOf(201, () => submit(site, body, from)),
      repeated: await statementsOf(201, () => submit(site, body, from)),
    };
  };
  const [known, tokenless] = [await submitted(token), await submitted(undefined)];
  const counts = { challenge, known: known.fresh, tokenless: tokenless.fresh, repeated: known.repeated };
  expect(
    Object.fromEntries(Object.entries(counts).map(([name, { read, limiter }]) => [name, [read.length, limiter]])),
  ).toEqual({
    challenge: [0, 1],
    known: [1, 1],
    tokenless: [1, 1],
    repeated: [2, 1],
  });
});

test("a process that has not seen a key or an environment needs at most three round trips, and uses what they return", async () => {
  const site = await createBusySite();
  const { imprint } = await visit(site);
  const { apiKey } = await createKey(operatorContext(db), { workspaceId: site.workspaceId, name: "second" });
  const { apiKey: third } = await createKey(operatorContext(db), { workspaceId: site.workspaceId, name: "third" });
  const fresh = await createSite(db);
  const from = { address: "198.51.100.11" };
  const body = JSON.stringify({ environment_id: fresh.environmentId });
  const ask = { method: "POST", headers: { origin: fresh.origin }, body, ...from };
  const delivery = await statementsOf(200, () => readReport(apiKey, imprint));
  const reread = await statementsOf(200, () => readReport(third, imprint));
  const unmet = await statementsOf(200, () => call("/api/v1/imprints/challenge", ask));
  const met = await statementsOf(200, () => call("/api/v1/imprints/challenge", ask));
  const sent = ({ read, limiter }: Awaited<ReturnType<typeof statementsOf>>) => [read.length, limiter];
  expect(sent(delivery)[0]).toBe(3);
  expect(sent(reread)[0]).toBe(2);
  expect([sent(unmet), sent(met)]).toEqual([
    [1, 1],
    [0, 1],
  ]);
});

test("an environment that does not exist costs one statement each time and is refused as usual", async () => {
  const site = await createSite(db);
  const body = JSON.stringify({ environment_id: `env_${"e".repeat(32)}` });
  const ask = () =>
    call("/api/v1/imprints/challenge", {
      method: "POST",
      headers: { origin: site.origin },
      body,
      address: "198.51.100.12",
    });
  for (const time of [1, 2]) {
    const { result, roundTrips } = await countRoundTrips(ask);
    expect([time, roundTrips]).toEqual([time, 1]);
    expect(await result.json()).toMatchObject({ error: { code: "environment_not_found" } });
  }
});

test("a request signed by the site's proxy sends as many statements as a page's own", async () => {
  const site = await createSite(db);
  await visit(site, { address: "198.51.100.10" });
  const key = await proxyKeyOf(site);
  const signed = (path: string, body: string, token: string) => {
    const signature = signVisitor(key, { path, body, payload: { address: "198.51.100.10", token } });
    return () => forward(site, path, body, { signature });
  };
  const issued = await requestChallenge(site);
  const challenge = signed(CHALLENGE_PATH, JSON.stringify({ environment_id: site.environmentId }), "");
  const submission = signed(SUBMISSION_PATH, submissionBody(site, issued), issued.token ?? "");
  const counts = { challenge: await statementsOf(200, challenge), submission: await statementsOf(201, submission) };
  expect(
    Object.fromEntries(Object.entries(counts).map(([name, { read, limiter }]) => [name, [read.length, limiter]])),
  ).toEqual({ challenge: [0, 1], submission: [1, 1] });
});

test("a submission with another submission's challenge causes no device lookup and is refused as usual", async () => {
  const site = await createSite(db);
  const from = { address: "198.51.100.8" };
  await visit(site, from);
  const other = await createSite(db);
  const { challenge } = await requestChallenge(other, from);
  const { result, statements } = await countRoundTrips(() => submit(site, submissionBody(site, { challenge }), from));
  expect(result.status).toBe(400);
  expect(statements.filter((text) => text.includes("device_keys"))).toEqual([]);
});

test("rows prefetched for a page of a disallowed origin are not used; it is refused as usual", async () => {
  const site = await createSite(db);
  const from = { address: "198.51.100.9" };
  await visit(site, from);
  const stranger = { ...site, origin: "https://stranger.example" };
  const { challenge } = await requestChallenge(site, from);
  const response = await submit(stranger, submissionBody(site, { challenge }), from);
  expect(await response.json()).toMatchObject({ error: { code: "origin_not_allowed" } });
});
