import type { webcrypto } from "node:crypto";

import { signatureHeaders } from "web-bot-auth";
import { signerFromJWK } from "web-bot-auth/crypto";
import { expect, test } from "vitest";

import { type AgentKey, PublicJwk, signedBase, toAgentKey } from "./agent-key";
import { type ReadSignature, readSignature, type SignedRequest } from "./read-signature";
import { AGENT_ORIGIN, createAgent, type Signing, signedHeaders } from "@/test/agents";

const NOW = new Date("2026-11-22T12:00:00Z");
const SECONDS = NOW.getTime() / 1000;
const AUTHORITY = "imprint.example.com";

const requestOf = (headers: Record<string, string>, authority = AUTHORITY): SignedRequest => ({
  header: (name) => headers[name],
  method: "POST",
  path: "/api/v1/imprints",
  authority,
});

const refusalOf = (headers: Record<string, string>, now = NOW) => {
  const read = readSignature(requestOf(headers), now);
  return read && "refused" in read ? read.refused : read && "read";
};

const isSignedBy = (key: AgentKey, read: ReadSignature) => signedBase(key, read) !== undefined;

const agent = createAgent("Example Agent");
const signing = (changes: Partial<Signing> = {}): Signing => ({ authority: AUTHORITY, created: SECONDS, ...changes });

test("the published example is parsed and verified: key of RFC 9421, appendix B.1.4", () => {
  // Source: draft-meunier-web-bot-auth-architecture, appendix of test vectors.
  const headers = {
    "signature-input":
      'sig1=("@authority");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=1735693200;nonce="gubxywVx7hzbYKatLgzuKDllDAIXAkz41PydU7aOY7vT+Mb3GJNxW0qD4zJ+IOQ1NVtg+BNbTCRUMt1Ojr5BgA==";tag="web-bot-auth"',
    signature: "sig1=:uz2SAv+VIemw+Oo890bhYh6Xf5qZdLUgv6/PbiQfCFXcX/vt1A8Pf7OcgL2yUDUYXFtffNpkEr5W6dldqFrkDg==:",
  };
  const key = toAgentKey(
    PublicJwk.parse({ kty: "OKP", crv: "Ed25519", x: "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs" }),
  );
  const read = readSignature(requestOf(headers, "example.com"), new Date(1_735_689_660_000));
  if (!read || "refused" in read) throw new Error(`refused: ${read?.refused ?? "nothing read"}`);
  expect([read.keyId, read.signatureAgent]).toEqual([key.keyId, undefined]);
  expect(isSignedBy(key, read)).toBe(true);
});

test.each([
  ["text", `"${AGENT_ORIGIN}"`, "signature-agent"],
  ["dictionary", `agent1="${AGENT_ORIGIN}"`, { name: "signature-agent", parameters: new Map([["key", "agent1"]]) }],
  [
    "dictionary of several",
    `a="https://other.example", agent1="${AGENT_ORIGIN}"`,
    { name: "signature-agent", parameters: new Map([["key", "agent1"]]) },
  ],
])(
  "signatures by the package web-bot-auth are parsed and verified, with the agent as a %s",
  async (_form, header, component) => {
    const jwk = agent.privateKey.export({ format: "jwk" }) as webcrypto.JsonWebKey;
    const request = new Request(`https://${AUTHORITY}/`, { headers: { "Signature-Agent": header } });
    const signed = await signatureHeaders(request, await signerFromJWK(jwk), {
      components: ["@authority", component as never], // the package's types know derived components alone
      ...{ created: new Date(NOW.getTime() - 1000), expires: new Date(NOW.getTime() + 60_000) },
    });
    const headers = {
      "signature-agent": header,
      "signature-input": signed["Signature-Input"],
      signature: signed.Signature,
    };
    const read = readSignature(requestOf(headers), NOW);
    if (!read || "refused" in read) throw new Error(`refused: ${read?.refused ?? "nothing read"}`);
    expect(read.signatureAgent).toBe(AGENT_ORIGIN);
    const key = toAgentKey(PublicJwk.parse(agent.jwk));
    expect(isSignedBy(key, read)).toBe(true);
    const other = readSignature(
      requestOf({ ...headers, "signature-agent": header.replace("agent.example", "x.example") }),
      NOW,
    );
    expect(other && !("refused" in other) && isSignedBy(key, other)).toBe(false);
  },
);

test.each(["ed25519", "p256", "rsa"] as const)("a key of type %s verifies only its own algorithm", (kind) => {
  const one = createAgent("One", kind);
  const key = toAgentKey(PublicJwk.parse(one.jwk));
  const rightOf = (more: string) => {
    const read = readSignature(requestOf(signedHeaders(one, signing({ more }))), NOW);
    return read && !("refused" in read) && isSignedBy(key, read);
  };
  expect(rightOf("")).toBe(true);
  expect(rightOf(`;alg="${key.algorithm}"`)).toBe(true);
  expect(rightOf(';alg="hmac-sha256"')).toBe(false);
});

test.each<[string, Partial<Signing>]>([
  [
    "method and path with it",
    {
      components: [
        ['"@authority"', AUTHORITY],
        ['"@method"', "POST"],
        ['"@path"', "/api/v1/imprints"],
        ['"signature-agent"', `"${AGENT_ORIGIN}"`],
      ],
      signatureAgent: `"${AGENT_ORIGIN}"`,
    },
  ],
  [
    "the whole dictionary",
    {
      components: [
        ['"@authority"', AUTHORITY],
        ['"signature-agent"', `sig1="${AGENT_ORIGIN}"`],
      ],
    },
  ],
  ["no agent if none is named", { components: [['"@authority"', AUTHORITY]], signatureAgent: "" }],
  [
    "a member with parameters",
    {
      components: [
        ['"@authority"', AUTHORITY],
        ['"signature-agent";key="a"', `"${AGENT_ORIGIN}";v=1`],
      ],
      signatureAgent: `a="${AGENT_ORIGIN}"; v=1`,
    },
  ],
])("a signature may cover %s", (_name, changes) => {
  const read = readSignature(requestOf(signedHeaders(agent, signing(changes))), NOW);
  expect(read && !("refused" in read) && isSignedBy(toAgentKey(PublicJwk.parse(agent.jwk)), read)).toBe(true);
});

test.each<[string, string, Partial<Signing>]>([
  ["is over", "not current", { created: SECONDS - 60, expires: SECONDS }],
  [
    "was made too long ago, whatever its stated expiry",
    "not current",
    { created: SECONDS - 301, expires: SECONDS + 86_400 },
  ],
  ["comes from the future", "not current", { created: SECONDS + 31, expires: SECONDS + 90 }],
  ["ends before it begins", "not current", { created: SECONDS, expires: SECONDS - 1 }],
  ["leaves out the host", "not covered", { components: [['"signature-agent";key="sig1"', `"${AGENT_ORIGIN}"`]] }],
  ["leaves out who is named", "not covered", { components: [['"@authority"', AUTHORITY]] }],
  [
    "names a component twice",
    "not covered",
    {
      components: [
        ['"@authority"', AUTHORITY],
        ['"@authority"', AUTHORITY],
        ['"signature-agent";key="sig1"', `"${AGENT_ORIGIN}"`],
      ],
    },
  ],
  [
    "covers a header that is not there",
    "not covered",
    {
      components: [
        ['"@authority"', AUTHORITY],
        ['"x-none"', ""],
        ['"signature-agent";key="sig1"', `"${AGENT_ORIGIN}"`],
      ],
    },
  ],
  [
    "covers a part of the request that we do not know",
    "not covered",
    {
      components: [
        ['"@authority"', AUTHORITY],
        ['"@status"', "200"],
        ['"signature-agent";key="sig1"', `"${AGENT_ORIGIN}"`],
      ],
    },
  ],
  [
    "names an agent that is not a URL",
    "not covered",
    {
      signatureAgent: 'sig1="me"',
      components: [
        ['"@authority"', AUTHORITY],
        ['"signature-agent";key="sig1"', '"me"'],
      ],
    },
  ],
  ["names no key", "malformed", { keyId: "" }],
  ["names a key by something else than its thumbprint", "malformed", { keyId: "test-key" }],
])("a signature that %s is not accepted: %s", (_name, refusal, changes) => {
  expect(refusalOf(signedHeaders(agent, signing(changes)))).toBe(refusal);
});

test("signatures for other purposes are ignored, and two signatures for this purpose are invalid", () => {
  expect(refusalOf(signedHeaders(agent, signing({ tag: "other" })))).toBeUndefined();
  const [one, two] = [signedHeaders(agent, signing()), signedHeaders(agent, signing())];
  const both = (name: string) => `${one[name] ?? ""}, ${(two[name] ?? "").replace("sig1=", "sig2=")}`;
  expect(refusalOf({ ...one, signature: both("signature"), "signature-input": both("signature-input") })).toBe(
    "malformed",
  );
  const other = signedHeaders(agent, signing({ tag: "other" }));
  const beside = `${one["signature-input"] ?? ""}, ${(other["signature-input"] ?? "").replace("sig1=", "sig2=")}`;
  expect(refusalOf({ ...one, "signature-input": beside })).toBe("read");
});

test("long headers are refused without parsing, and nonsense is invalid", () => {
  const good = signedHeaders(agent, signing());
  for (const name of Object.keys(good)) {
    expect(refusalOf({ ...good, [name]: `${good[name] ?? ""}${" ".repeat(3000)}` })).toBe("too large");
  }
  for (const nonsense of ["", "web-bot-auth", 'sig1=();tag="web-bot-auth"', 'sig1=1;tag="web-bot-auth"', "\u0000"]) {
    expect([undefined, "malformed"]).toContain(refusalOf({ ...good, "signature-input": nonsense }));
    expect(refusalOf({ ...good, signature: nonsense })).toBe("malformed");
  }
});
