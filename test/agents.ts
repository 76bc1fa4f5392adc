import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

import { toAgentKey, PublicJwk } from "@/lib/visits/agents/agent-key";

export type TestAgent = { name: string; keyId: string; jwk: PublicJwkObject; privateKey: KeyObject };
type PublicJwkObject = Record<string, unknown>;

const OPTIONS = {
  ed25519: () => generateKeyPairSync("ed25519"),
  p256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  rsa: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
};

/** An agent with a new key. */
export function createAgent(name: string, kind: keyof typeof OPTIONS = "ed25519"): TestAgent {
  const { publicKey, privateKey } = OPTIONS[kind]();
  const jwk = publicKey.export({ format: "jwk" });
  return { name, keyId: toAgentKey(PublicJwk.parse(jwk)).keyId, jwk, privateKey };
}

/** Contents of an operator's key file with these agents. */
export const keyFileOf = (agents: readonly (TestAgent & { signatureAgent?: string })[]): string =>
  JSON.stringify({
    agents: agents.map(({ name, jwk, signatureAgent }) => ({
      name,
      keys: [jwk],
      ...(signatureAgent === undefined ? {} : { signatureAgent }),
    })),
  });

export const AGENT_ORIGIN = "https://agent.example";

export type Signing = {
  authority: string;
  /** `Signature-Agent` as sent; undefined to omit it. */
  signatureAgent?: string | undefined;
  /** The signed components in order, with their values. */
  components?: readonly (readonly [id: string, value: string])[];
  /** Unix seconds. */
  created: number;
  expires?: number;
  nonce?: string;
  tag?: string;
  keyId?: string;
  /** Further parameters, verbatim. */
  more?: string;
};

function signBytes({ privateKey }: TestAgent, base: string): Buffer {
  const data = Buffer.from(base);
  if (privateKey.asymmetricKeyType === "ed25519") return sign(null, data, privateKey);
  if (privateKey.asymmetricKeyType === "ec")
    return sign("sha256", data, { key: privateKey, dsaEncoding: "ieee-p1363" });
  return sign("sha512", data, { key: privateKey, padding: 6, saltLength: 64 });
}

/** Headers of a request signed by the agent. */
export function signedHeaders(agent: TestAgent, signing: Signing): Record<string, string> {
  const { authority, created, signatureAgent = `sig1="${AGENT_ORIGIN}"` } = signing;
  const { expires = created + 60, tag = "web-bot-auth", keyId = agent.keyId, more = "" } = signing;
  const nonce = signing.nonce ?? randomBytes(32).toString("base64");
  const components = signing.components ?? [
    ['"@authority"', authority],
    ['"signature-agent";key="sig1"', `"${AGENT_ORIGIN}"`],
  ];
  const list = components.map(([id]) => id).join(" ");
  const input = `(${list});created=${created};expires=${expires};keyid="${keyId}";nonce="${nonce}";tag="${tag}"${more}`;
  const lines = components.map(([id, value]) => `${id}: ${value}`);
  const bytes = signBytes(agent, [...lines, `"@signature-params": ${input}`].join("\n"));
  return {
    ...(signatureAgent === "" ? {} : { "signature-agent": signatureAgent }),
    "signature-input": `sig1=${input}`,
    signature: `sig1=:${bytes.toString("base64")}:`,
  };
}
