import { generateKeyPairSync, type KeyObject, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { afterAll, beforeEach, expect, test } from "vitest";

import { startSandbox } from "@/scripts/sandbox/sandbox";
import { createBuyer } from "@/scripts/sandbox/buyer";
import { createTestPayments, testTerms } from "@/test/payments";
import { type AccessVariables, authorizationHeaders, readAccess, readCdpSecret } from "./facilitator-access";
import { composeChallenge, readPayment } from "./index";

const KEY_ID = "organizations/o/apiKeys/k";
const sandbox = await startSandbox();
const terms = testTerms(sandbox.variables);

type Claims = { sub: string; iss: string; nbf: number; exp: number; uris: string[] };
const decode = (part = ""): unknown => JSON.parse(Buffer.from(part, "base64url").toString());

/** Like Coinbase's facilitator: a token is valid for one method, host and path and for two minutes, signed by its key. */
class Guard {
  readonly nonces = new Set<string>();
  readonly refusals: string[] = [];
  key: KeyObject | undefined;
  isAway = false;

  check({ headers, method = "", url = "" }: IncomingMessage): boolean {
    const objection = this.#objection(headers.authorization ?? "", `${method} ${headers.host ?? ""}${url}`);
    if (objection !== undefined) this.refusals.push(`${url}: ${objection}`);
    return objection === undefined;
  }

  #objection(authorization: string, uri: string): string | undefined {
    const [head, body, signature] = authorization.replace(/^Bearer /, "").split(".");
    if (!this.key || head === undefined || body === undefined || signature === undefined) return "no token";
    const { alg, kid, nonce } = decode(head) as { alg: string; kid: string; nonce: string };
    const claims = decode(body) as Claims;
    const now = Date.now() / 1000;
    const signed = Buffer.from(`${head}.${body}`);
    const bytes = Buffer.from(signature, "base64url");
    if ((alg === "EdDSA") !== (this.key.asymmetricKeyType === "ed25519")) return "signed by a key of another kind";
    const isSigned =
      alg === "EdDSA"
        ? verify(null, signed, this.key, bytes)
        : verify("sha256", signed, { key: this.key, dsaEncoding: "ieee-p1363" }, bytes);
    if (!isSigned) return "the signature is not of this key";
    if (kid !== KEY_ID || claims.sub !== KEY_ID || claims.iss !== "cdp") return "another key";
    if (claims.nbf > now + 1 || claims.exp <= now || claims.exp > now + 121) return "not valid at this time";
    if (claims.uris.join() !== uri) return `for ${claims.uris.join()}, not for ${uri}`;
    if (this.nonces.has(nonce)) return "used before";
    this.nonces.add(nonce);
    return undefined;
  }
}

const guard = new Guard();
const server = createServer((request, response) => {
  const answer = async () => {
    const body = await text(request);
    if (guard.isAway) return { status: 500, reply: "{}" };
    if (!guard.check(request)) return { status: 401, reply: '{"error":"unauthorized"}' };
    const path = (request.url ?? "").replace("/platform/v2/x402", "");
    const upstream = await fetch(sandbox.variables.X402_FACILITATOR_URL + path, {
      method: request.method ?? "GET",
      ...(body !== "" && { body, headers: { "content-type": "application/json" } }),
    });
    return { status: upstream.status, reply: await upstream.text() };
  };
  void answer().then(({ status, reply }) =>
    response.writeHead(status, { "content-type": "application/json" }).end(reply),
  );
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/platform/v2/x402`;

afterAll(async () => {
  server.close();
  await sandbox.close();
});
beforeEach(async () => {
  Object.assign(guard, { isAway: false, refusals: [] });
  await sandbox.heal();
});

function ed25519() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { d = "", x = "" } = privateKey.export({ format: "jwk" });
  const secret = Buffer.concat([Buffer.from(d, "base64url"), Buffer.from(x, "base64url")]).toString("base64");
  return { secret, publicKey };
}
function p256(type: "sec1" | "pkcs8") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { secret: privateKey.export({ type, format: "pem" }).toString().replaceAll("\n", "\\n"), publicKey };
}

const KEYS = { Ed25519: ed25519(), "P-256 as CDP hands it out": p256("sec1"), "P-256 as PKCS #8": p256("pkcs8") };

async function present(payments: ReturnType<typeof createTestPayments>) {
  const { body } = await composeChallenge(terms, { resource: "http://localhost/api/v1/agent/trial" });
  const { header } = await createBuyer(sandbox.createAccount()).sign(body);
  const read = readPayment(header, terms, new Date());
  if (read.kind !== "payment") throw new Error(read.kind);
  return { payment: read.payment, verified: await payments.verifyPayment(read.payment, terms) };
}

test.each(Object.entries(KEYS))("a CDP key (%s) signs an accepted token for each request and path", async (_, key) => {
  guard.key = key.publicKey;
  const payments = createTestPayments({
    ...sandbox.variables,
    X402_FACILITATOR_URL: url,
    CDP_API_KEY_ID: KEY_ID,
    CDP_API_KEY_SECRET: key.secret,
  });
  expect(await payments.readAvailability()).toMatchObject({ available: true });
  const { payment, verified } = await present(payments);
  expect(verified).toEqual({ valid: true, by: "first" });
  expect(await payments.settlePayment(payment, terms)).toMatchObject({ kind: "settled" });
  expect(guard.refusals).toEqual([]);
});

test("a token for one path is rejected at another, and a foreign key everywhere", async () => {
  const [own, other] = [ed25519(), ed25519()];
  guard.key = own.publicKey;
  const access = (secret: string) => {
    const read = readAccess({ X402_FACILITATOR_URL: url, CDP_API_KEY_ID: KEY_ID, CDP_API_KEY_SECRET: secret });
    if ("missing" in read || !read.facilitators[0]) throw new Error("no facilitator");
    return authorizationHeaders(read.facilitators[0]);
  };
  const get = async (headers: Record<string, string>) => (await fetch(`${url}/supported`, { headers })).status;
  const [mine, foreign] = [await access(own.secret), await access(other.secret)];
  expect(await get(mine.verify)).toBe(401);
  expect(await get(mine.supported)).toBe(200);
  expect(await get(mine.supported)).toBe(401);
  expect(await get(foreign.supported)).toBe(401);
  expect(await get({})).toBe(401);
});

test("operators see what each facilitator supports, how it is authenticated, and what it lacks", async () => {
  guard.key = KEYS.Ed25519.publicKey;
  const payments = createTestPayments({
    ...sandbox.variables,
    ...{ X402_FACILITATOR_URL: url, CDP_API_KEY_ID: KEY_ID, CDP_API_KEY_SECRET: KEYS["P-256 as PKCS #8"].secret },
    X402_FALLBACK_FACILITATOR_URL: sandbox.variables.X402_FACILITATOR_URL,
  });
  const [first, fallback] = await payments.describeFacilitators();
  expect(first).toMatchObject({
    supports: undefined,
    faults: [expect.stringMatching(/^X402_FACILITATOR_URL does not answer .*CDP keys/)],
  });
  expect(fallback).toMatchObject({
    name: expect.stringContaining("X402_FALLBACK_FACILITATOR_URL") as string,
    supports: expect.stringContaining("exact on eip155:31337 (version 2)") as string,
    faults: [],
  });
  const elsewhere = createTestPayments({ ...sandbox.variables, X402_NETWORK: "eip155:8453" });
  expect(await elsewhere.readAvailability()).toMatchObject({ available: false });
  expect((await elsewhere.describeFacilitators())[0]?.faults).toEqual([
    expect.stringMatching(/does not serve x402 version 2, exact, eip155:8453: it serves .*eip155:31337/),
  ]);
});

test("while the first facilitator cannot verify, the fallback verifies and alone settles; a verdict is final", async () => {
  const payments = createTestPayments({
    ...sandbox.variables,
    ...{ X402_FACILITATOR_URL: url, X402_FACILITATOR_TOKEN: "token", X402_SETTLE_TIMEOUT_S: 2 },
    X402_FALLBACK_FACILITATOR_URL: sandbox.variables.X402_FACILITATOR_URL,
  });
  guard.isAway = true;
  expect(await payments.readAvailability()).toMatchObject({ available: true });
  const { payment, verified } = await present(payments);
  expect(verified).toEqual({ valid: true, by: "fallback" });
  const before = sandbox.seen.settle;
  expect(await payments.settlePayment(payment, terms, { by: "first" })).toMatchObject({ kind: "unclear" });
  expect(sandbox.seen.settle).toBe(before);
  expect(await payments.settlePayment(payment, terms, { by: "fallback" })).toMatchObject({ kind: "settled" });
});

test.each<[string, AccessVariables, unknown]>([
  ["a token goes to its own facilitator", { X402_FACILITATOR_TOKEN: "t" }, { kind: "bearer", token: "t" }],
  ["nothing is sent where nothing is given", {}, { kind: "none" }],
])("%s", (_title, given, auth) => {
  expect(readAccess({ X402_FACILITATOR_URL: "https://f.example", ...given })).toMatchObject({
    facilitators: [{ auth }],
  });
});

test("CDP keys are sent to Coinbase's facilitator and to no other", () => {
  const cdp = { CDP_API_KEY_ID: KEY_ID, CDP_API_KEY_SECRET: KEYS.Ed25519.secret };
  const coinbase = "https://api.cdp.coinbase.com/platform/v2/x402";
  expect(
    readAccess({ X402_FACILITATOR_URL: "https://f.example", X402_FALLBACK_FACILITATOR_URL: coinbase, ...cdp }),
  ).toMatchObject({ facilitators: [{ auth: { kind: "none" } }, { auth: { kind: "cdp" } }] });
  expect(readAccess({ X402_FACILITATOR_URL: coinbase })).toEqual({
    missing: ["X402_FACILITATOR_URL is Coinbase's: it requires CDP_API_KEY_ID and CDP_API_KEY_SECRET"],
  });
});

test.each([
  "",
  "secret",
  Buffer.alloc(32).toString("base64"),
  "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
])("an invalid key secret is reported before any request is made: %j", (secret) => {
  expect(readCdpSecret(secret)).toBeUndefined();
  const given = { X402_FACILITATOR_URL: "https://f.example", CDP_API_KEY_ID: KEY_ID, CDP_API_KEY_SECRET: secret };
  expect(readAccess(given)).toMatchObject({ missing: [expect.stringContaining("CDP_API_KEY_SECRET")] });
});
