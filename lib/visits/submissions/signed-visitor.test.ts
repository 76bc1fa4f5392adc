import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test, vi } from "vitest";

import { countRoundTrips } from "@/db/client";
import { VISITOR_SKEW_SECONDS } from "@/lib/contract/visitor";
import { idToUuid } from "@/lib/contract/ids";
import { Report } from "@/lib/contract/report";
import { publishSecrets } from "@/lib/platform/secrets";
import { createKey, revokeKey } from "@/lib/tenancy/api-keys";
import { createTestDatabase } from "@/test/database";
import {
  CHALLENGE_PATH,
  forward,
  type Payload,
  proxyKeyOf,
  requestProxyKey,
  signVisitor,
  SUBMISSION_PATH,
  visitThrough,
} from "@/test/signed-visitor";
import {
  BROWSER_HEADERS,
  createSite,
  readReport,
  requestChallenge,
  type Site,
  submissionBody,
  visit,
} from "@/test/visits";
import { TEST_SECRETS } from "@/test/secrets";
import { operatorContext } from "@/test/workspaces";
import { ADDRESS_LIMITS } from "@/lib/platform/limits";

const { db } = await createTestDatabase();

const ADDRESS = "8.8.8.8";
const headersOf = ({ origin }: Site): [string, string][] =>
  Object.entries({ host: "shop.example", ...BROWSER_HEADERS, origin });
const payloadOf = (site: Site, address = ADDRESS): Payload => ({ address, headers: headersOf(site) });

const codeOf = async (response: Response) => ((await response.json()) as { error?: { code: string } }).error?.code;
const reportOf = async (site: Site, imprint: string) =>
  Report.parse(await (await readReport(site.apiKey, imprint)).json());

const challengeBody = ({ environmentId }: Site) => JSON.stringify({ environment_id: environmentId });

test("a signed visit has the visitor's address and headers, whatever the proxy itself sends", async () => {
  const site = await createSite(db);
  const { submitted } = await visitThrough(site, await proxyKeyOf(site), payloadOf(site));
  const report = await reportOf(site, submitted.imprint);
  expect(report.network.observed_ip).toBe(ADDRESS);
  expect(report.risk).toMatchObject({ status: "PASS", findings: [] });
});

test("if the proxy signs no headers, its own are assessed and none are invented", async () => {
  const site = await createSite(db);
  const { submitted } = await visitThrough(site, await proxyKeyOf(site), { address: ADDRESS });
  expect((await reportOf(site, submitted.imprint)).risk.reasons).toContain("BROWSER_IDENTITY_MISMATCH");
});

test("a proxy that keeps the token receives it with every answer, and takes over the token that the page already had", async () => {
  const site = await createSite(db);
  const key = await proxyKeyOf(site);
  const direct = await visit(site);
  const payload = { ...payloadOf(site), token: "" };
  const first = await visitThrough(site, key, payload, { pageToken: direct.token });
  expect([first.issued.token, first.submitted.token]).toEqual([direct.token, direct.token]);
  const kept = first.submitted.token ?? "";
  const again = await visitThrough(site, key, { ...payload, token: kept });
  expect(again.submitted.token).toBe(kept);
  const [before, after] = [await reportOf(site, direct.imprint), await reportOf(site, again.submitted.imprint)];
  expect([after.device.id, after.device.access_count]).toEqual([before.device.id, 3]);
});

test("the proxy's token takes precedence over the page's; a tampered or foreign one is ignored without an error", async () => {
  const site = await createSite(db);
  const [key, other] = [await proxyKeyOf(site), await createSite(db)];
  const [kept, ofPage, foreign] = [await visit(site), await visit(site), await visit(other)];
  const visitWith = (token: string, pageToken?: string) =>
    visitThrough(site, key, { ...payloadOf(site), token }, pageToken === undefined ? {} : { pageToken });
  const deviceOf = async ({ submitted }: Awaited<ReturnType<typeof visitWith>>) =>
    (await reportOf(site, submitted.imprint)).device;
  const [keptDevice, pageDevice] = [await reportOf(site, kept.imprint), await reportOf(site, ofPage.imprint)];
  expect((await deviceOf(await visitWith(kept.token, ofPage.token))).id).toBe(keptDevice.device.id);
  const tampered = kept.token.slice(0, -2) + (kept.token.endsWith("AA") ? "BB" : "AA");
  for (const unusable of [tampered, foreign.token, "x", "é\u2028", "a".repeat(400)]) {
    expect((await deviceOf(await visitWith(unusable, ofPage.token))).id).toBe(pageDevice.device.id);
    const fresh = await visitWith(unusable);
    expect(fresh.issued.token).not.toBe(unusable);
    expect((await deviceOf(fresh)).seen_before).toBe(false);
  }
});

test("a page whose proxy keeps no token does not receive its existing token again", async () => {
  const site = await createSite(db);
  const { token } = await visit(site);
  const through = await visitThrough(site, await proxyKeyOf(site), payloadOf(site), { pageToken: token });
  expect([through.issued.token, through.submitted.token]).toEqual([undefined, undefined]);
});

const CODES = { invalid: "visitor_signature_invalid", expired: "visitor_signature_expired" };

test("a signature that is stale, altered, missing or for another body or operation is refused before the database is read", async () => {
  const site = await createSite(db);
  const key = await proxyKeyOf(site);
  const body = challengeBody(site);
  const sign = (more: { path?: string; body?: string; payload?: unknown; time?: number } = {}) =>
    signVisitor(key, { path: CHALLENGE_PATH, body, payload: payloadOf(site), ...more });
  const nowSeconds = Math.floor(Date.now() / 1000);
  const good = sign();
  const [version, id, time, payload, mac = ""] = good.split(".");
  const altered = Buffer.from(JSON.stringify(payloadOf(site, "192.0.2.9"))).toString("base64url");
  const cases: [string, string][] = [
    [sign({ time: nowSeconds - VISITOR_SKEW_SECONDS - 5 }), CODES.expired],
    [sign({ time: nowSeconds + VISITOR_SKEW_SECONDS + 5 }), CODES.expired],
    [[version, id, time, altered, mac].join("."), CODES.invalid],
    [[version, id, String(Number(time) + 1), payload, mac].join("."), CODES.invalid],
    [[version, id, time, payload, `${mac.startsWith("A") ? "B" : "A"}${mac.slice(1)}`].join("."), CODES.invalid],
    [[version, `key_${"0".repeat(32)}`, time, payload, mac].join("."), CODES.invalid],
    [sign({ body: `${body} ` }), CODES.invalid],
    [sign({ path: SUBMISSION_PATH }), CODES.invalid],
    [
      signVisitor({ ...key, secret: "a".repeat(43) }, { path: CHALLENGE_PATH, body, payload: payloadOf(site) }),
      CODES.invalid,
    ],
    [sign({ payload: { address: "shop.example" } }), CODES.invalid],
    [sign({ payload: { address: "127.1" } }), CODES.invalid],
    [sign({ payload: { headers: headersOf(site) } }), CODES.invalid],
    [sign({ payload: { ...payloadOf(site), more: 1 } }), CODES.invalid],
    [sign({ payload: { address: ADDRESS, headers: [["x", "\u0000"]] } }), CODES.invalid],
    [sign({ payload: null }), CODES.invalid],
    [`${good}, ${good}`, CODES.invalid],
    [good.replace("v1", "v2"), CODES.invalid],
    ["", CODES.invalid],
    [`v1.${"a.".repeat(5000)}`, CODES.invalid],
  ];
  for (const [signature, code] of cases) {
    const { result, roundTrips } = await countRoundTrips(() => forward(site, CHALLENGE_PATH, body, { signature }));
    expect([signature, await codeOf(result), result.status, roundTrips]).toEqual([signature, code, 403, 0]);
  }
  expect((await forward(site, CHALLENGE_PATH, body, { signature: good })).status).toBe(200);
});

test("no header value breaks the service, and only a valid signature is accepted", async () => {
  const site = await createSite(db);
  const body = challengeBody(site);
  const genuine = signVisitor(await proxyKeyOf(site), { path: CHALLENGE_PATH, body, payload: payloadOf(site) });
  const edited = fc
    .tuple(fc.nat(genuine.length - 1), fc.constantFrom("A", "z", "0", "_", ".", "{", "\u00e9", " "))
    .map(([at, letter]) => genuine.slice(0, at) + letter + genuine.slice(at + 1));
  const header = fc.oneof(fc.string({ unit: "grapheme-ascii", maxLength: 60 }), edited);
  await fc.assert(
    fc.asyncProperty(header, async (signature) => {
      fc.pre(signature !== genuine);
      const response = await forward(site, CHALLENGE_PATH, body, { signature });
      // The unused low bits of the last base64 character do not change the decoded bytes.
      if (response.status !== 200) expect(await codeOf(response)).toMatch(/^visitor_signature_/);
      else expect(signature.slice(0, -1)).toBe(genuine.slice(0, -1));
    }),
    { numRuns: 200 },
  );
});

test("a key that is revoked, expired, unknown or of another workspace cannot sign", async () => {
  const [site, other] = [await createSite(db), await createSite(db)];
  const body = challengeBody(site);
  const refused = async (key: Awaited<ReturnType<typeof proxyKeyOf>>) =>
    codeOf(
      await forward(site, CHALLENGE_PATH, body, {
        signature: signVisitor(key, { path: CHALLENGE_PATH, body, payload: payloadOf(site) }),
      }),
    );
  expect(await refused(await proxyKeyOf(other))).toBe("visitor_key_refused");
  const expiring = await createKey(operatorContext(db), { ...site, name: "proxy", expiresAfterSeconds: 60 });
  const expiringKey = await proxyKeyOf(expiring);
  expect(await refused(expiringKey)).toBeUndefined();
  await db.execute(sql`update api_keys set expires_at = now() where key_id = ${idToUuid(expiring.keyId)}::uuid`);
  expect(await refused(expiringKey)).toBe("visitor_key_refused");
  const revoked = await proxyKeyOf(site);
  expect(await refused(revoked)).toBeUndefined();
  await revokeKey(operatorContext(db), site);
  expect(await refused(revoked)).toBe("visitor_key_refused");
  expect((await requestProxyKey(site.apiKey)).status).toBe(401);
});

test("a signature is bound to the submission's body, and resubmitting both returns the same imprint", async () => {
  const site = await createSite(db);
  const key = await proxyKeyOf(site);
  const { challenge } = await requestChallenge(site);
  const body = submissionBody(site, { challenge });
  const signature = signVisitor(key, { path: SUBMISSION_PATH, body, payload: payloadOf(site) });
  const replayed = body.replace('"total":80', '"total":81');
  expect(await codeOf(await forward(site, SUBMISSION_PATH, replayed, { signature }))).toBe(CODES.invalid);
  const answers = [];
  for (let times = 0; times < 2; times += 1)
    answers.push(await (await forward(site, SUBMISSION_PATH, body, { signature })).text());
  expect(answers[0]).toMatch(/"imprint":"imp_/);
  expect(answers[1]).toBe(answers[0]);
});

test("rate limits count the visitor's address, not the proxy's", async () => {
  const site = await createSite(db);
  const key = await proxyKeyOf(site);
  const body = challengeBody(site);
  const ask = (address: string) =>
    forward(site, CHALLENGE_PATH, body, {
      signature: signVisitor(key, { path: CHALLENGE_PATH, body, payload: payloadOf(site, address) }),
    });
  const { burst } = ADDRESS_LIMITS.challenge;
  const many = await Promise.all(Array.from({ length: 2 * burst }, (_, index) => ask(`2001:db8:7:${index}::1`)));
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
  const one = await Promise.all(Array.from({ length: 2 * burst }, () => ask("2001:db8:8::1")));
  expect(one.map(({ status }) => status)).toContain(429);
});

test("a secret is valid until the end of the next day, also under an older pepper", async () => {
  const site = await createSite(db);
  const key = await proxyKeyOf(site);
  const body = challengeBody(site);
  const issuedDay = Math.floor(Date.parse(key.issued_at) / 86_400_000);
  expect(Date.parse(key.expires_at)).toBe((issuedDay + 2) * 86_400_000);
  const statusAt = async (at: number) => {
    vi.useFakeTimers({ now: at, toFake: ["Date"] });
    try {
      const signature = signVisitor(key, { path: CHALLENGE_PATH, body, payload: payloadOf(site) });
      return (await forward(site, CHALLENGE_PATH, body, { signature })).status;
    } finally {
      vi.useRealTimers();
    }
  };
  expect(await statusAt(Date.parse(key.expires_at) - 1000)).toBe(200);
  expect(await statusAt(Date.parse(key.expires_at) + 1000)).toBe(403);
  const newer = `p2:${Buffer.alloc(32, 9).toString("base64")}`;
  try {
    publishSecrets({ ...TEST_SECRETS, keyPepper: `${newer},${TEST_SECRETS.keyPepper}` });
    expect(await statusAt(Date.now())).toBe(200);
    publishSecrets({ ...TEST_SECRETS, keyPepper: newer });
    expect(await statusAt(Date.now())).toBe(403);
  } finally {
    publishSecrets(TEST_SECRETS);
  }
});
