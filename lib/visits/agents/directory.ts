import { z } from "zod";

import { failureText } from "@/lib/platform/failure-text";
import { guardedFetch, readBounded } from "@/lib/platform/guarded-fetch";
import { PublicJwk, toAgentKey } from "./agent-key";
import type { TrustedKey } from "./key-file";

/** Source: draft-ietf-webbotauth-httpsig-directory. */
const PATH = "/.well-known/http-message-signatures-directory";
const MAX_BYTES = 64 * 1024;
const MAX_KEYS = 20;
const TIMEOUT_MS = 2_500;
const ASK_AGAIN_MS = 3_600_000;
/** After a failure, and the minimum interval for looking up a missing key. */
const RETRY_MS = 60_000;
/** Keys of a directory that no longer answers are dropped after this time. */
const KEPT_MS = 86_400_000;

export type Directory = {
  /** URL of the directory. */
  url: string;
  /** The agent is named after its host. */
  name: string;
  origin: string;
  byKeyId: Map<string, TrustedKey>;
  askedAtMs: number;
  fetchedAtMs: number;
  problem: string | undefined;
  isAsking: boolean;
};

export function directoryOf(agent: string): Directory {
  const { origin, hostname } = new URL(agent);
  return {
    ...{ url: `${origin}${PATH}`, name: hostname, origin, byKeyId: new Map() },
    ...{ askedAtMs: -Infinity, fetchedAtMs: -Infinity, problem: undefined, isAsking: false },
  };
}

const Keys = z.object({ keys: z.array(z.unknown()) });

/** Parses the usable keys of a directory, in order; all others are ignored. */
export function readDirectory(text: string, { name, origin }: Directory): Map<string, TrustedKey> {
  const usable = Keys.parse(JSON.parse(text))
    .keys.slice(0, MAX_KEYS)
    .flatMap((jwk) => {
      const parsed = PublicJwk.safeParse(jwk);
      return parsed.success ? [toAgentKey(parsed.data)] : [];
    });
  return new Map(usable.map((key) => [key.keyId, { ...key, name, signatureAgent: origin }]));
}

type Fetch = typeof guardedFetch;

async function ask(directory: Directory, fetchUrl: Fetch): Promise<void> {
  const response = await fetchUrl(directory.url, {
    headers: { accept: "application/http-message-signatures-directory+json, application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`it answered ${response.status}`);
  }
  directory.byKeyId = readDirectory(await readBounded(response, MAX_BYTES), directory);
}

/**
 * Fetches a directory if it is due. Never rejects: a directory that cannot be reached keeps its keys for a day, causes
 * no finding, and reports the problem in its status.
 *
 * @param options.isMissed whether this is for a key that the directory does not have
 */
export async function refreshDirectory(
  directory: Directory,
  {
    isMissed = false,
    nowMs = Date.now(),
    fetchUrl = guardedFetch,
  }: { isMissed?: boolean; nowMs?: number; fetchUrl?: Fetch } = {},
): Promise<void> {
  const waitMs = isMissed || directory.problem !== undefined ? RETRY_MS : ASK_AGAIN_MS;
  if (directory.isAsking || nowMs - directory.askedAtMs < waitMs) return;
  directory.isAsking = true;
  directory.askedAtMs = nowMs;
  try {
    await ask(directory, fetchUrl);
    directory.fetchedAtMs = nowMs;
    directory.problem = undefined;
  } catch (error) {
    directory.problem = failureText(error) ?? (error instanceof Error ? error.message : String(error));
    if (nowMs - directory.fetchedAtMs > KEPT_MS) directory.byKeyId = new Map();
  } finally {
    directory.isAsking = false;
  }
}
