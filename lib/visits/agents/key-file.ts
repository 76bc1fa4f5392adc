import { z } from "zod";

import { type AgentKey, PublicJwk, toAgentKey } from "./agent-key";

const MAX_AGENTS = 1000;
const MAX_KEYS = 20;

/** Safe for headers and pages: visible ASCII with single spaces in between. */
const AgentName = z
  .string()
  .max(64)
  .regex(/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/, "expected visible ASCII characters with single blanks");

const Agent = z.strictObject({
  name: AgentName,
  keys: z.array(PublicJwk).min(1).max(MAX_KEYS),
  signatureAgent: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe("The only `Signature-Agent` that the keys may speak for"),
});

const KeyFile = z.strictObject({ agents: z.array(Agent).max(MAX_AGENTS) });

/** A trusted key with its agent. */
export type TrustedKey = AgentKey & {
  name: string;
  /** The only origin that the key may sign for. Undefined if it may sign for any. */
  signatureAgent: string | undefined;
};

/**
 * Parses an operator's key file into keys by thumbprint.
 *
 * @throws Error describing the problem with the file
 */
export function readKeyFile(text: string): Map<string, TrustedKey> {
  const parsed = KeyFile.safeParse(JSON.parse(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join(".") ?? "file"}: ${issue?.message ?? "not valid"}`);
  }
  const keys = new Map<string, TrustedKey>();
  for (const { name, keys: jwks, signatureAgent } of parsed.data.agents) {
    const origin = signatureAgent === undefined ? undefined : new URL(signatureAgent).origin;
    for (const jwk of jwks) {
      const key = toAgentKey(jwk);
      const other = keys.get(key.keyId);
      if (other && other.name !== name) throw new Error(`one key belongs to ${other.name} and to ${name}`);
      keys.set(key.keyId, { ...key, name, signatureAgent: origin });
    }
  }
  return keys;
}
