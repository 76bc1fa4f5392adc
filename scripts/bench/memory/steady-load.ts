import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import { composeExactly } from "@/lib/contract/challenge-proof";
import { timingsFor } from "@/test/timings";
import { adminTexts, runAdmin, textsOf } from "../../common/processes";
import { createSiteBy } from "../../common/site";

const ORIGIN = "https://bench.example";
const AGENT =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
/** Re-reads of a Report after its first delivery. */
const READS_AGAIN = 6;
/** Number of Reports that are re-read later too. */
const REMEMBERED = 2_000;
const KEYS = 4;

export type Site = Awaited<ReturnType<typeof createSite>>;

/** Creates a workspace with a Web App and keys. */
export async function createSite(env: NodeJS.ProcessEnv) {
  const admin = (...args: string[]) => runAdmin(args, env);
  const names = { workspace: "Benchmark", webApp: "Benchmark", origin: ORIGIN };
  const { workspaceId, environmentId, apiKey } = await createSiteBy(admin, names);
  const of = ["--workspace", workspaceId];
  const keys = [apiKey];
  while (keys.length < KEYS) {
    const key = ["key", "create", ...of, "--name", `Load ${keys.length}`];
    keys.push((await adminTexts(key, env, "api_key")).api_key);
  }
  return { workspaceId, environmentId, keys };
}

/** Signals of one of many devices. */
function signalsOf(device: number) {
  const value = {
    userAgent: AGENT,
    platform: "Win32",
    languages: ["en-US"],
    language: "en-US",
    webdriver: false,
    hardwareConcurrency: 2 + (device % 15),
  };
  return { navigator: { state: "ok", value } };
}

/** Makes visits at a steady rate: challenge, submission, first delivery and re-reads, of new and of older Reports. */
export async function putSteadyLoad(
  address: string,
  { environmentId, keys }: Site,
  { visitsPerSecond, forMs }: { visitsPerSecond: number; forMs: number },
) {
  const counts = { requests: 0, failed: 0 };
  const rereadMs: number[] = [];
  const imprints: string[] = [];
  async function ask(path: string, init: RequestInit, status: number): Promise<unknown> {
    counts.requests += 1;
    try {
      const response = await fetch(address + path, init);
      const text = await response.text();
      if (response.status === status) return JSON.parse(text);
    } catch {
      // Counted below, like any unexpected answer.
    }
    counts.failed += 1;
    return undefined;
  }
  const read = (imprint: string) => {
    const key = keys[counts.requests % keys.length] ?? "";
    return ask(`/api/v1/fingerprint/report/${imprint}`, { headers: { "X-API-Key": key } }, 200);
  };
  async function visit(index: number): Promise<void> {
    const from = `87.${128 + ((index >> 16) & 15)}.${(index >> 8) & 255}.${index & 255}`;
    const headers = { Origin: ORIGIN, "User-Agent": AGENT, "X-Forwarded-For": from };
    const post = (path: string, body: string, status: number) =>
      ask(`/api/v1/imprints${path}`, { method: "POST", headers, body }, status);
    const issued = await post("/challenge", JSON.stringify({ environment_id: environmentId }), 200);
    if (issued === undefined) return;
    const { challenge, token } = textsOf(issued, "challenge", "token");
    const signals = signalsOf(index);
    const body = { v: 1, environment_id: environmentId, challenge, token, signals, timings: timingsFor(signals) };
    const stored = await post("", composeExactly(body), 201);
    if (stored === undefined) return;
    const { imprint } = textsOf(stored, "imprint");
    await read(imprint);
    imprints[index % REMEMBERED] = imprint;
    for (let turn = 0; turn < READS_AGAIN; turn += 1) {
      const sentAt = performance.now();
      await read(imprints[randomInt(imprints.length)] ?? imprint);
      rereadMs.push(performance.now() - sentAt);
    }
  }
  const startedAt = performance.now();
  const running = new Set<Promise<void>>();
  for (let index = 0; performance.now() - startedAt < forMs; index += 1) {
    const one: Promise<void> = visit(index).finally(() => running.delete(one));
    running.add(one);
    await delay(Math.max(0, startedAt + ((index + 1) * 1000) / visitsPerSecond - performance.now()));
  }
  await Promise.all(running);
  return { ...counts, rereadMs };
}
