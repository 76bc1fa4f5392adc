import { readFile } from "node:fs/promises";

import { env } from "@/lib/platform/env";
import { words } from "@/lib/platform/env-values";
import { fileSignature } from "@/lib/platform/file-signature";
import { log } from "@/lib/platform/log";
import { sharedState } from "@/lib/platform/shared-state";
import { type Directory, directoryOf, refreshDirectory } from "./directory";
import { readKeyFile, type TrustedKey } from "./key-file";

const WATCH_EVERY_MS = 5_000;

/** Only data and key handles, since the two bundles of a process share it. */
type AgentKeys = {
  path: string | undefined;
  /** Inode, size and time of the last contents read. */
  seen: string | undefined;
  byKeyId: Map<string, TrustedKey>;
  /** Why the file, or its latest contents, is not in use. */
  problem: string | undefined;
  directories: Map<string, Directory>;
};

type Sources = { path?: string | undefined; directories?: readonly string[] };

const configured = (): Sources => ({
  path: env.AGENT_KEYS_FILE,
  directories: words(env.AGENT_DIRECTORIES),
});

const opened = sharedState<AgentKeys>("agents");

/** Reads the file if it changed. Never rejects: if it is missing or damaged, the current keys stay in use. */
async function refreshFile(keys: AgentKeys): Promise<void> {
  if (keys.path === undefined) return;
  const signature = await fileSignature(keys.path);
  if (signature !== undefined && signature === keys.seen) return;
  keys.seen = signature;
  try {
    if (signature === undefined) throw new Error("it does not exist");
    keys.byKeyId = readKeyFile(await readFile(keys.path, "utf8"));
    keys.problem = undefined;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (problem !== keys.problem) log.warn({ problem }, "the agent key file cannot be used");
    keys.problem = problem;
  }
}

/**
 * Reads the operator's key file. Directories are fetched by `watchAgentKeys`, so that startup does not wait for them.
 */
export async function openAgentKeys({ path, directories = [] }: Sources = configured()): Promise<void> {
  const keys: AgentKeys = {
    path,
    seen: undefined,
    byKeyId: new Map(),
    problem: undefined,
    directories: new Map(directories.map((url) => [new URL(url).origin, directoryOf(url)])),
  };
  opened.value = keys;
  await refreshFile(keys);
}

/**
 * Reloads the key file when it changes, and refreshes directories.
 *
 * @returns function that stops watching
 */
export function watchAgentKeys(everyMs = WATCH_EVERY_MS): () => void {
  const keys = opened.value;
  if (!keys) throw new Error("openAgentKeys must be called first");
  if (keys.path === undefined && keys.directories.size === 0) return () => undefined;
  let timer: NodeJS.Timeout;
  const look = async () => {
    for (const directory of keys.directories.values()) void refreshDirectory(directory);
    await refreshFile(keys);
    timer = setTimeout(() => void look(), everyMs).unref();
  };
  timer = setTimeout(() => void look(), 0).unref();
  return () => {
    clearTimeout(timer);
  };
}

/** Whether any agent can be identified. */
export function hasAgentKeys(): boolean {
  const keys = opened.value;
  return keys !== undefined && (keys.byKeyId.size > 0 || keys.directories.size > 0);
}

/** Finds a key by thumbprint, in the operator's file or else in the named directory, if the operator trusts it. */
export function findAgentKey(keyId: string, signatureAgent: string | undefined): TrustedKey | undefined {
  const keys = opened.value;
  const own = keys?.byKeyId.get(keyId);
  if (own || signatureAgent === undefined) return own;
  const directory = keys?.directories.get(signatureAgent);
  const key = directory?.byKeyId.get(keyId);
  // A missing key may be new, so refresh the directory. The visit does not wait for it.
  if (directory && !key) void refreshDirectory(directory, { isMissed: true });
  return key;
}

export type AgentKeysStatus = {
  file: { path: string; keys: number; problem: string | undefined } | undefined;
  directories: { url: string; keys: number; problem: string | undefined }[];
};

export function agentKeysStatus(): AgentKeysStatus {
  const keys = opened.value;
  return {
    file: keys?.path === undefined ? undefined : { path: keys.path, keys: keys.byKeyId.size, problem: keys.problem },
    directories: [...(keys?.directories.values() ?? [])].map(({ url, byKeyId, problem }) => ({
      url,
      keys: byKeyId.size,
      problem,
    })),
  };
}

/** Fetches every due directory now, to find out whether it answers. */
export async function askDirectories(): Promise<void> {
  await Promise.all([...(opened.value?.directories.values() ?? [])].map((directory) => refreshDirectory(directory)));
}
