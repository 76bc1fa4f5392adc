import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

import { build } from "esbuild";

import { ROOT } from "../build/layout.mjs";
import { answersOk, claimPort, startProgram, waitUntil } from "../demo/processes.mjs";

const READY_TIMEOUT_MS = 10 * 60_000;
const ORIGIN = "https://bench.example";
const AT_ONCE = 16;
const SEED = path.join(ROOT, ".test/bench-http/seed.mjs");

const HEADERS = {
  Origin: ORIGIN,
  "User-Agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
};
const SIGNALS = {
  navigator: {
    state: "ok",
    value: {
      userAgent: HEADERS["User-Agent"],
      platform: "Win32",
      languages: ["en-US"],
      language: "en-US",
      webdriver: false,
    },
  },
};

/** Runs the seeding verbs beside the service, as a bundle of their own. */
async function seed(env, keys) {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [path.join(ROOT, "scripts/bench-http-seed.ts")],
    outfile: SEED,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    packages: "external",
    alias: { "@": ROOT },
    logLevel: "silent",
  });
  const { stdout } = await promisify(execFile)(process.execPath, [SEED, ORIGIN, String(keys)], { cwd: ROOT, env });
  return JSON.parse(stdout);
}

async function answerOf(response, status) {
  const text = await response.text();
  if (response.status !== status) throw new Error(`The service answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** A visit from an address of its own, through the API, with its Report read for the first time. */
async function makeVisit(address, { environmentId, keys }, index) {
  // Of an access provider, so that the Report has the network facts of an ordinary visit.
  const visitor = `87.128.${index >> 8}.${index & 255}`;
  const post = (target, body) =>
    fetch(`${address}/api/v1/imprints${target}`, {
      method: "POST",
      headers: { ...HEADERS, "X-Forwarded-For": visitor },
      body: JSON.stringify({ environment_id: environmentId, ...body }),
    });
  const { challenge, token } = await answerOf(await post("/challenge", {}), 200);
  const timings = { total: 80, challenge: 20, signals: {} };
  const { imprint } = await answerOf(await post("", { v: 1, challenge, token, signals: SIGNALS, timings }), 201);
  const key = keys[index % keys.length];
  await answerOf(
    await fetch(`${address}/api/v1/fingerprint/report/${imprint}`, { headers: { "X-API-Key": key } }),
    200,
  );
  return imprint;
}

async function makeVisits(address, seeded, count, progress) {
  const imprints = [];
  for (let start = 0; start < count; start += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, offset) => start + offset);
    imprints.push(...(await Promise.all(indexes.map((index) => makeVisit(address, seeded, index)))));
    if (start % 256 === 0) progress(`Visits: ${start} of ${count}`);
  }
  return imprints;
}

/** Requests a second that one key of the plan may make. */
const KEY_RATE = 200;

/**
 * Requests for the Reports in turn, spread over as few keys as `rate` needs, with three times as much to spare: none meets its
 * limit when the machine gets faster meanwhile, and each is as busy as the key of a busy site.
 *
 * @param {{ imprints: string[], keys: string[] }} service @param {number} rate
 * @returns {[string, string][]}
 */
export function requestsAt({ imprints, keys }, rate) {
  const used = Math.min(keys.length, Math.ceil((4 * rate) / KEY_RATE));
  return Array.from({ length: Math.max(imprints.length, used) }, (_, index) => [
    `/api/v1/fingerprint/report/${imprints[index % imprints.length]}`,
    keys[index % used],
  ]);
}

/**
 * The real service in production, on an empty embedded database, with visits whose Reports were read once.
 *
 * @param {{ dataDir: string, keys: number, reports: number, progress: (text: string) => void }} options
 */
export async function startMeasuredService({ dataDir, keys, reports, progress }) {
  const port = await claimPort(0);
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    PORT: String(port),
    TRUSTED_PROXIES: "loopback",
    LOG_LEVEL: "error",
  };
  const lines = [];
  const program = startProgram("service", ["scripts/start.mjs"], { env, onLine: (line) => lines.push(line) });
  try {
    const address = `http://127.0.0.1:${port}`;
    await waitUntil(() => answersOk(`${address}/readyz`), { program, timeoutMs: READY_TIMEOUT_MS });
    const seeded = await seed(env, keys);
    const imprints = await makeVisits(address, seeded, reports, progress);
    return { ...program, ...seeded, address, imprints };
  } catch (error) {
    await program.stop();
    throw new Error(`${error.message}\n${lines.join("\n")}`, { cause: error });
  }
}
