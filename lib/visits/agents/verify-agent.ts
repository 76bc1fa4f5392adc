import type { Db } from "@/db/client";
import { baseUrl, env } from "@/lib/platform/env";
import { words } from "@/lib/platform/env-values";
import { sha256 } from "@/lib/platform/secrets";
import { signedBase } from "./agent-key";
import { findAgentKey, hasAgentKeys } from "./keys";
import { useSignature } from "./queries";
import { CLOCK_SKEW_SECONDS, MAX_AGE_SECONDS, readSignature, type Refusal, type SignedRequest } from "./read-signature";

/** What is stored of a signature with its visit, for the Console. */
export type AgentRecord = { name: string; keyId: string; signatureAgent?: string } | { refused: Refusal };

type Received = Omit<SignedRequest, "authority">;

/** Names of the local machine; an installation that is only reachable locally accepts all of them. */
const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

function ownHosts(): string[] {
  const { host, hostname, port } = new URL(baseUrl());
  const local = LOCAL_NAMES.includes(hostname)
    ? LOCAL_NAMES.map((name) => (port === "" ? name : `${name}:${port}`))
    : [];
  return [host, ...local, ...words(env.AGENT_HOSTS)];
}

/**
 * The host that a signature must be made for: the requested one if it is ours, else that of `BASE_URL`, since a proxy
 * may have changed the Host header.
 */
function authorityOf(header: Received["header"]): string {
  const asked = header("host")?.toLowerCase();
  const [main = "", ...others] = ownHosts();
  return asked !== undefined && others.includes(asked) ? asked : main;
}

type Checked = { base: string; record: Extract<AgentRecord, { name: string }> } | { refused: Refusal };

/** Checks everything about a signature except whether it was used before. Undefined without a signature. */
export function checkSignature(request: Received, now: Date): Checked | undefined {
  if (request.header("signature-input") === undefined || !hasAgentKeys()) return undefined;
  const signature = readSignature({ ...request, authority: authorityOf(request.header) }, now);
  if (signature === undefined || "refused" in signature) return signature;
  const { keyId, signatureAgent } = signature;
  const key = findAgentKey(keyId, signatureAgent);
  if (!key) return { refused: "unknown key" };
  if (key.signatureAgent !== undefined && key.signatureAgent !== signatureAgent) return { refused: "another agent" };
  const base = signedBase(key, signature);
  if (base === undefined) return { refused: "wrong signature" };
  return { base, record: { name: key.name, keyId, ...(signatureAgent !== undefined && { signatureAgent }) } };
}

/**
 * Identifies the agent that signed a request: with a trusted key, for this service, within the last minutes and for
 * this body only. A signature that is not accepted is recorded with the reason and never changes a verdict. Unsigned
 * requests cost nothing, and directories are never waited for.
 */
export async function verifyAgent(
  db: Db,
  request: Received & { bodyHash: Uint8Array },
  now: Date,
): Promise<AgentRecord | undefined> {
  const checked = checkSignature(request, now);
  if (checked === undefined || "refused" in checked) return checked;
  const { base, record } = checked;
  const isFirst = await useSignature(db, {
    digest: sha256(`${record.keyId}\n${base}`),
    bodyHash: request.bodyHash,
    keptSeconds: MAX_AGE_SECONDS + 2 * CLOCK_SKEW_SECONDS,
  });
  return isFirst ? record : { refused: "used before" };
}
