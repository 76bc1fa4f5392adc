import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import { loadProof } from "../component/load-proof.mjs";
import { answersOk, claimPort, runAdmin, startProgram, waitUntil } from "../demo/processes.mjs";

const READY_TIMEOUT_MS = 10 * 60_000;
const ORIGIN = "https://bench.example";
const AGENT =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
/** Reads of a Report after its first delivery. */
const READS_AGAIN = 6;
/** Reports that are read again later too. */
const REMEMBERED = 2_000;
const KEYS = 4;

/**
 * Starts the service, and tells how long it took until it was ready.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export async function startService(environment) {
  const port = await claimPort(0);
  const env = { ...process.env, ...environment, PORT: String(port), TRUSTED_PROXIES: "loopback", LOG_LEVEL: "error" };
  const lines = [];
  const startedAt = performance.now();
  const program = startProgram("service", ["scripts/start.mjs"], { env, onLine: (line) => lines.push(line) });
  const address = `http://127.0.0.1:${port}`;
  try {
    await waitUntil(() => answersOk(`${address}/readyz`), { program, timeoutMs: READY_TIMEOUT_MS });
  } catch (error) {
    await program.stop();
    throw new Error(`${error.message}\n${lines.join("\n")}`, { cause: error });
  }
  return { ...program, env, address, readyMs: performance.now() - startedAt };
}

/** A workspace with a Web App and keys. */
export async function createSite(env) {
  const { workspace_id: workspaceId } = await runAdmin(
    ["workspace", "create", "--name", "Benchmark", "--plan", "enterprise"],
    env,
  );
  const of = ["--workspace", workspaceId];
  const app = await runAdmin(["web-app", "create", ...of, "--name", "Benchmark", "--origin", ORIGIN], env);
  const keys = [app.api_key];
  while (keys.length < KEYS)
    keys.push((await runAdmin(["key", "create", ...of, "--name", `Load ${keys.length}`], env)).api_key);
  return { environmentId: app.environment_id, keys };
}

/** Signals of one of many devices. */
function signalsOf(device) {
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

/**
 * Visits at a steady pace: challenge, submission, first delivery and re-reads, of new and of older Reports.
 *
 * @param {{ address: string, environmentId: string, keys: string[] }} service
 * @param {{ visitsPerSecond: number, forMs: number }} pace
 */
export async function putSteadyLoad({ address, environmentId, keys }, { visitsPerSecond, forMs }) {
  const counts = { requests: 0, failed: 0 };
  const { composeExactly } = await loadProof();
  const imprints = /** @type {string[]} */ ([]);
  async function ask(path, init, status) {
    counts.requests += 1;
    try {
      const response = await fetch(address + path, init);
      const text = await response.text();
      if (response.status === status) return JSON.parse(text);
    } catch {
      // counted below, as any answer that is not the expected one
    }
    counts.failed += 1;
    return undefined;
  }
  const read = (imprint) => {
    const key = keys[counts.requests % keys.length];
    return ask(`/api/v1/fingerprint/report/${imprint}`, { headers: { "X-API-Key": key } }, 200);
  };
  async function visit(index) {
    const from = `87.${128 + ((index >> 16) & 15)}.${(index >> 8) & 255}.${index & 255}`;
    const headers = { Origin: ORIGIN, "User-Agent": AGENT, "X-Forwarded-For": from };
    const post = (path, body, status) => ask(`/api/v1/imprints${path}`, { method: "POST", headers, body }, status);
    const issued = await post("/challenge", JSON.stringify({ environment_id: environmentId }), 200);
    if (!issued) return;
    const { challenge, token } = issued;
    const timings = { total: 80, challenge: 20, signals: {} };
    const body = { v: 1, environment_id: environmentId, challenge, token, signals: signalsOf(index), timings };
    const stored = await post("", composeExactly(body), 201);
    if (!stored) return;
    await read(stored.imprint);
    imprints[index % REMEMBERED] = stored.imprint;
    for (let turn = 0; turn < READS_AGAIN; turn += 1)
      await read(imprints[randomInt(imprints.length)] ?? stored.imprint);
  }
  const startedAt = performance.now();
  const running = new Set();
  for (let index = 0; performance.now() - startedAt < forMs; index += 1) {
    const one = visit(index).finally(() => running.delete(one));
    running.add(one);
    await delay(Math.max(0, startedAt + ((index + 1) * 1000) / visitsPerSecond - performance.now()));
  }
  await Promise.all(running);
  return counts;
}
