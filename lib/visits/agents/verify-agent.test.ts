import { randomBytes } from "node:crypto";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { createTestDatabase } from "@/test/database";
import { sha256 } from "@/lib/platform/secrets";
import { agentKeysStatus, openAgentKeys, verifyAgent, watchAgentKeys } from "./index";
import { createAgent, keyFileOf, type Signing, signedHeaders } from "@/test/agents";
import { checkSignature } from "./verify-agent";

const { db } = await createTestDatabase();

const folder = mkdtempSync(path.join(tmpdir(), "imprint-agents-"));
const file = path.join(folder, "agents.json");
const NOW = new Date("2026-11-22T12:00:00Z");
const SECONDS = NOW.getTime() / 1000;
/** The host of the default `BASE_URL`. */
const AUTHORITY = "localhost:3000";

const agents = [
  createAgent("Example Agent"),
  createAgent("Curve Agent", "p256"),
  createAgent("Large Agent", "rsa"),
] as const;
const stranger = createAgent("Stranger");
const bound = { ...createAgent("Bound Agent"), signatureAgent: "https://bound.example" };

beforeAll(async () => {
  writeFileSync(file, keyFileOf([...agents, bound]));
  await openAgentKeys({ path: file });
});

afterAll(async () => {
  await openAgentKeys({});
  rmSync(folder, { recursive: true });
});

const request = (headers: Record<string, string>) => ({
  header: (name: string) => ({ host: AUTHORITY, ...headers })[name],
  method: "POST",
  path: "/api/v1/imprints",
});

const signed = (changes: Partial<Signing> = {}, agent: (typeof agents)[number] = agents[0]) =>
  signedHeaders(agent, { authority: AUTHORITY, created: SECONDS, ...changes });

const verified = (headers: Record<string, string>, body = "body") =>
  verifyAgent(db, { ...request(headers), bodyHash: sha256(body) }, NOW);

test.each(agents.map((agent) => [agent.name, agent] as const))(
  "%s is identified by its signature",
  async (name, agent) => {
    expect(await verified(signed({}, agent))).toEqual({
      ...{ name, keyId: agent.keyId, signatureAgent: "https://agent.example" },
    });
  },
);

test("a signature is bound to one body: it is accepted again with the identical body, but not with another one", async () => {
  const headers = signed();
  expect(await verified(headers)).toMatchObject({ name: "Example Agent" });
  expect(await verified(headers)).toMatchObject({ name: "Example Agent" });
  expect(await verified(headers, "another body")).toEqual({ refused: "used before" });
  // The same signature in a different encoding.
  const rewritten = { ...headers, "signature-input": headers["signature-input"]?.replace("sig1=(", "sig1=( ") ?? "" };
  expect(await verified(rewritten, "another body")).toEqual({ refused: "used before" });
});

test("only one of several parallel replays with different bodies is accepted", async () => {
  const headers = signed();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => verified(headers, `body ${index}`)));
  expect(answers.filter((answer) => answer && "name" in answer)).toHaveLength(1);
});

test.each([
  ["another host", () => signed({ authority: "other.example" }), "wrong signature"],
  ["an unknown key", () => signed({}, stranger), "unknown key"],
  ["the key of another agent", () => signed({ keyId: agents[0].keyId }, stranger), "wrong signature"],
  ["an agent that the key does not speak for", () => signed({}, bound), "another agent"],
])("a signature for %s is not accepted", async (_name, headers, refused) => {
  expect(await verified(headers())).toEqual({ refused });
});

test("a local installation accepts each of its names, and a signature only for the requested one", async () => {
  for (const host of ["127.0.0.1:3000", "[::1]:3000", "localhost:3000"])
    expect(await verified({ ...signed({ authority: host }), host })).toMatchObject({ name: "Example Agent" });
  for (const host of ["127.0.0.1:3001", "127.0.0.1", "other.example"])
    expect(await verified({ ...signed({ authority: host }), host })).toEqual({ refused: "wrong signature" });
  const elsewhere = { ...signed({ authority: "localhost:3000" }), host: "127.0.0.1:3000" };
  expect(await verified(elsewhere)).toEqual({ refused: "wrong signature" });
});

test("unsigned requests are not checked, and neither are signed ones if no key is known", async () => {
  expect(await verified({})).toBeUndefined();
  await openAgentKeys({});
  expect(await verified(signed())).toBeUndefined();
  await openAgentKeys({ path: file });
});

/** Number of altered signatures; set IMPRINT_ALTERED_SIGNATURES for more. */
const ALTERED = Number(process.env["IMPRINT_ALTERED_SIGNATURES"] ?? 10_000);

/** Reproducible pseudo-random numbers below 1 (xorshift32). */
function numbersFrom(seed: number) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

test("no altered, expired or wrong-host signature is accepted", { timeout: 300_000 }, () => {
  const random = numbersFrom(20_261_122);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T; // never empty
  const names = ["signature-input", "signature", "signature-agent"] as const;
  const characters = Array.from('abcXYZ019+/="(); ,:-_@');
  /** Few, since making one takes long; each is altered many times. */
  const originals = agents.flatMap((agent) => Array.from({ length: 8 }, () => signed({}, agent)));
  const mutateAt = (text: string, at: number) => text.slice(0, at) + pick(characters) + text.slice(at + 1);
  const alterations: ((headers: Record<string, string>) => Record<string, string>)[] = [
    (headers) => {
      const name = pick(names);
      const text = headers[name] ?? "";
      return { ...headers, [name]: mutateAt(text, Math.floor(random() * text.length)) };
    },
    (headers) => {
      const bytes = Buffer.from(headers["signature"]?.slice(6, -1) ?? "", "base64");
      const at = Math.floor(random() * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      return { ...headers, signature: `sig1=:${bytes.toString("base64")}:` };
    },
    (headers) => ({ ...headers, signature: pick(originals)["signature"] ?? "", host: pick(["x.example", AUTHORITY]) }),
    (headers) => ({ ...headers, signature: `sig1=:${randomBytes(pick([0, 1, 64, 256])).toString("base64")}:` }),
    (headers) => {
      const seconds = SECONDS + Math.floor((random() - 0.5) * 600);
      const input = headers["signature-input"] ?? "";
      return { ...headers, "signature-input": input.replace(/(created|expires)=\d+/, `$1=${seconds}`) };
    },
    (headers) => ({
      ...headers,
      "signature-input":
        headers["signature-input"]?.replace(/keyid="[^"]*"/, `keyid="${pick([...agents, stranger]).keyId}"`) ?? "",
    }),
    (headers) => ({
      ...headers,
      "signature-agent": pick(['"https://agent.example"', 'sig1="https://other.example"', ""]),
    }),
    (headers) => ({
      ...headers,
      "signature-input":
        headers["signature-input"]?.replace(
          pick(['"@authority" ', ' "signature-agent";key="sig1"', ";tag"]),
          pick(["", " ", '"@method"']),
        ) ?? "",
    }),
  ];
  const baseOf = (headers: Record<string, string>, now = NOW) => {
    const checked = checkSignature(request(headers), now);
    return checked && "base" in checked ? `${checked.record.name}\n${checked.base}` : undefined;
  };
  let accepted = 0;
  for (let count = 0; count < ALTERED; count += 1) {
    const original = pick(originals);
    const altered = pick(alterations)(original);
    const base = baseOf(altered);
    // In a different encoding it is the same signature, so it is refused as used before.
    if (base !== undefined && base !== baseOf(original)) accepted += 1;
  }
  expect(accepted).toBe(0);
  const times = [-3600, -32, 61, 301, 86_400].map((seconds) => new Date(NOW.getTime() + seconds * 1000));
  const outside = originals.flatMap((headers) => times.map((now) => baseOf(headers, now)));
  expect(outside.filter((base) => base !== undefined)).toEqual([]);
});

test("a replaced file is loaded, and an invalid one leaves the keys unchanged and reports the problem", async () => {
  const stop = watchAgentKeys(10);
  const replace = (text: string) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  try {
    replace(keyFileOf([...agents, bound, stranger]));
    await vi.waitFor(() => {
      expect(agentKeysStatus().file).toMatchObject({ keys: 5, problem: undefined });
    });
    expect(await verified(signed({}, stranger))).toMatchObject({ name: "Stranger" });
    const withPrivate = { ...stranger, jwk: stranger.privateKey.export({ format: "jwk" }) as Record<string, unknown> };
    for (const [text, problem] of [
      ["{", "JSON"],
      ['{"agents":[{"name":"a\\nb","keys":[]}]}', "visible ASCII"],
      [keyFileOf([withPrivate]), "private key"],
      [keyFileOf([stranger, { ...stranger, name: "Other" }]), "belongs to Stranger and to Other"],
    ] as const) {
      replace(text);
      await vi.waitFor(() => {
        expect(agentKeysStatus().file?.problem).toContain(problem);
      });
      expect(agentKeysStatus().file?.keys).toBe(5);
    }
    rmSync(file);
    await vi.waitFor(() => {
      expect(agentKeysStatus().file).toMatchObject({ keys: 5, problem: "it does not exist" });
    });
    replace(keyFileOf(agents));
    await vi.waitFor(() => {
      expect(agentKeysStatus().file).toMatchObject({ keys: 3, problem: undefined });
    });
  } finally {
    stop();
  }
});
