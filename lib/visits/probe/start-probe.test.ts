import { networkInterfaces } from "node:os";

import { sql } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { Report } from "@/lib/contract/report";
import { canonicalAddress } from "@/lib/platform/addresses";
import { publishSecrets } from "@/lib/platform/secrets";
import { TEST_SECRETS } from "@/test/secrets";
import { call, createSite, readReport, type Site, submissionBody, submit } from "@/test/visits";
import { createSourceLimit } from "./source-limit";
import { type Probe, purgeProbeObservations, startProbe } from "./index";
import { openClient } from "./testing";

const { db } = await createTestDatabase();
const HOME = "87.128.14.20";
let site: Site;
let probe: Probe | undefined;

beforeAll(async () => {
  site = await createSite(db);
});
afterEach(async () => {
  await probe?.close();
  probe = undefined;
});

/** A probe on loopback that treats every sender as the visitor at `address`. */
async function start(address = HOME): Promise<Probe> {
  probe = await startProbe({ db, port: 0, publicHost: "127.0.0.1", hosts: ["127.0.0.1"], addressOf: () => address });
  return probe;
}

type Challenge = {
  challenge: string;
  token?: string;
  probe?: { urls: string[]; username: string; credential: string };
};

async function requestChallenge(): Promise<Challenge> {
  const response = await call("/api/v1/imprints/challenge", {
    method: "POST",
    headers: { origin: site.origin },
    body: JSON.stringify({ environment_id: site.environmentId }),
  });
  return (await response.json()) as Challenge;
}

async function submitFrom(issued: Challenge, address: string) {
  const body = submissionBody(site, { challenge: issued.challenge, token: issued.token });
  const { imprint } = (await (await submit(site, body, { address })).json()) as { imprint: string };
  return Report.parse(await (await readReport(site.apiKey, imprint)).json()).network;
}

/** Does what a browser's connection does with the credentials of a challenge. */
async function sendProbe(port: number, credentials: { username: string; credential: string }): Promise<void> {
  const client = await openClient(port);
  expect(await client.probe(credentials)).toBe(403);
  client.close();
}

test("the address probe: reports the source address of the browser's datagram", async () => {
  const { port } = await start();
  const issued = await requestChallenge();
  expect(issued.probe?.urls).toEqual([`turn:127.0.0.1:${port}?transport=udp`]);
  if (issued.probe) await sendProbe(port, issued.probe);
  expect(await submitFrom(issued, HOME)).toMatchObject({
    observed_ip: HOME,
    alternate_ip: HOME,
    ip_consistency: "MATCH",
  });
});

test("the address probe: reports a different address as a mismatch", async () => {
  const { port } = await start();
  const issued = await requestChallenge();
  if (issued.probe) await sendProbe(port, issued.probe);
  expect(await submitFrom(issued, "88.198.50.10")).toMatchObject({
    status: "SUSPICIOUS",
    alternate_ip: HOME,
    ip_consistency: "MISMATCH",
  });
});

test("the address probe: has no effect on a visit that sent no datagram, or that used another visit's credentials", async () => {
  const { port } = await start();
  const [sender, silent] = [await requestChallenge(), await requestChallenge()];
  if (sender.probe) await sendProbe(port, sender.probe);
  const network = await submitFrom(silent, HOME);
  expect(network).toMatchObject({ status: "PASS", ip_consistency: "UNKNOWN" });
  expect(network).not.toHaveProperty("alternate_ip");
});

test("the address probe: ignores a private address", async () => {
  const { port } = await start("192.168.1.4");
  const issued = await requestChallenge();
  if (issued.probe) await sendProbe(port, issued.probe);
  const network = await submitFrom(issued, HOME);
  expect(network).toMatchObject({ ip_consistency: "UNKNOWN" });
  expect(network).not.toHaveProperty("alternate_ip");
});

test("the address probe: counts only the first datagram of a challenge", async () => {
  const first = await start("87.128.99.99");
  const issued = await requestChallenge();
  if (issued.probe) await sendProbe(first.port, issued.probe);
  await first.close();
  const second = await start(HOME);
  if (issued.probe) await sendProbe(second.port, issued.probe);
  expect(await submitFrom(issued, HOME)).toMatchObject({ alternate_ip: "87.128.99.99", ip_consistency: "MISMATCH" });
});

test("the address probe: compares the same address family as that of the submission", async () => {
  const four = await start(HOME);
  const issued = await requestChallenge();
  if (issued.probe) await sendProbe(four.port, issued.probe);
  await four.close();
  const six = await start("2003:c0:8f00::7");
  if (issued.probe) await sendProbe(six.port, issued.probe);
  expect(await submitFrom(issued, "2003:c0:8f00::1")).toMatchObject({
    alternate_ip: "2003:c0:8f00::7",
    ip_consistency: "MATCH",
  });
});

test("the address probe: is off before it is started and after it is closed, when challenges have no credentials for it", async () => {
  expect(await requestChallenge()).not.toHaveProperty("probe");
  await (await start()).close();
  expect(await requestChallenge()).not.toHaveProperty("probe");
});

test("the address probe: accepts credentials of a previous pepper, as a replica that starts later does", async () => {
  const { port } = await start();
  const issued = await requestChallenge();
  const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");
  const rest = { authSecret: "test-auth-secret-test-auth-secret", keks: `k1:${key(7)}` };
  publishSecrets({ ...rest, keyPepper: `k2:${key(9)},k1:${key(7)}` });
  if (issued.probe) await sendProbe(port, issued.probe);
  expect(await submitFrom(issued, HOME)).toMatchObject({ alternate_ip: HOME });
  publishSecrets(TEST_SECRETS);
});

test("the address probe: answers from the contacted address, on every address of the machine", async () => {
  probe = await startProbe({ db, port: 0, publicHost: "localhost", addressOf: canonicalAddress });
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const addresses = own.filter(({ family }) => family === "IPv4").map(({ address }) => address);
  expect(addresses).toContain("127.0.0.1");
  for (const address of addresses) {
    const client = await openClient(probe.port, address);
    expect(await client.probe({ username: "nobody", credential: "none" })).toBe(403);
    client.close();
  }
});

test("the address probe: uses the public port if it differs", async () => {
  const options = { db, port: 0, hosts: ["127.0.0.1"], addressOf: canonicalAddress };
  probe = await startProbe({ ...options, publicHost: "probe.example.com:3478" });
  expect(probe.urls).toEqual(["turn:probe.example.com:3478?transport=udp"]);
  await probe.close();
  probe = await startProbe({ ...options, publicHost: "[2001:db8::1]" });
  expect(probe.urls).toEqual([`turn:[2001:db8::1]:${probe.port}?transport=udp`]);
});

test("probe observations are deleted once they can no longer be used", async () => {
  await db.execute(sql`insert into probe_sightings (nonce, family, address, seen_at)
    select gen_random_uuid(), 4, '192.0.2.1', now() - interval '11 minutes' from generate_series(1, 3)`);
  await purgeProbeObservations(db, new AbortController().signal);
  const [left] = await db.execute<{ old: number }>(
    sql`select count(*)::int as old from probe_sightings where address = '192.0.2.1'`,
  );
  expect(left?.old).toBe(0);
});

test("a flood is not answered, while other senders still are", () => {
  const isAllowed = createSourceLimit();
  const allowed = Array.from({ length: 100 }, () => isAllowed("a", 1_000)).filter(Boolean);
  expect(allowed).toHaveLength(20);
  expect(isAllowed("b", 1_000)).toBe(true);
  expect(isAllowed("a", 2_000)).toBe(true);
  const many = Array.from({ length: 10_000 }, (_, index) => isAllowed(`source ${index}`, 3_000)).filter(Boolean);
  expect(many).toHaveLength(5_000);
});
