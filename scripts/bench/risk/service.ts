import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { build } from "esbuild";

import { ensureBuilt } from "../build/ensure.mjs";
import { ROOT } from "../build/layout.mjs";
import { answersOk, claimPort, runAdmin, startProgram, waitUntil } from "../demo/processes.mjs";
import { openGate } from "./gate.mjs";
import { makeFolder, removeFolder } from "./processes.mjs";

const READY_TIMEOUT_MS = 10 * 60_000;
/** For a key whose requests come faster than its limit. */
const REPORT_TIMEOUT_MS = 60_000;

async function startReady(env, port) {
  const lines = [];
  const program = startProgram("service", ["scripts/start.mjs"], { env, onLine: (line) => lines.push(line) });
  try {
    await waitUntil(() => answersOk(`http://localhost:${port}/readyz`), { program, timeoutMs: READY_TIMEOUT_MS });
    return program;
  } catch (error) {
    await program.stop();
    throw new Error(`${error.message}\n${lines.join("\n")}`, { cause: error });
  }
}

/**
 * The real service on an empty database, behind a gate that keeps what visits send, with one Web App.
 *
 * @param {object} options
 * @param {(gateUrl: string) => string} options.originOf the Allowed Origin of the Web App
 * @param {string} [options.address] where the gate listens
 * @param {(path: string) => string | undefined} [options.pageOf]
 * @param {(imprint: string) => void} [options.onVisit]
 * @param {(line: string) => void} options.say
 */
export async function startService({ originOf, address = "localhost", pageOf, onVisit = () => undefined, say }) {
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say });
  const dataDir = makeFolder("data");
  // Started by root, PostgreSQL runs as another user and has to reach its files.
  fs.chmodSync(dataDir, 0o711);
  const servicePort = await claimPort(0);
  const captures = new Map();
  const keep = (imprint, capture) => {
    captures.set(imprint, capture);
    onVisit(imprint);
  };
  let visitor;
  const gate = await openGate({
    address,
    servicePort: () => servicePort,
    pageOf,
    visitorAddress: () => visitor,
    onVisit: keep,
  });
  const url = `http://${address}:${gate.port}`;
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    PORT: String(servicePort),
    BASE_URL: url,
    TRUSTED_PROXIES: "loopback",
    LOG_LEVEL: "error",
  };
  const program = await startReady(env, servicePort);
  const { workspace_id } = await runAdmin(["workspace", "create", "--name", "Visits"], env);
  const app = ["web-app", "create", "--workspace", workspace_id, "--name", "Site", "--origin", originOf(url)];
  const { environment_id: environmentId, api_key: apiKey } = await runAdmin(app, env);
  return {
    url,
    environmentId,
    servicePort,
    /** Where the next visits seem to come from; `undefined`: from where they do. */
    setVisitorAddress(address) {
      visitor = address;
    },
    captureOf: (imprint) => captures.get(imprint),
    async reportOf(imprint) {
      const target = `http://localhost:${servicePort}/api/v1/fingerprint/report/${imprint}`;
      const deadline = performance.now() + REPORT_TIMEOUT_MS;
      let answer = await fetch(target, { headers: { "X-API-Key": apiKey } });
      while (answer.status === 429 && performance.now() < deadline) {
        await delay(1_000 * Number(answer.headers.get("retry-after") ?? 1));
        answer = await fetch(target, { headers: { "X-API-Key": apiKey } });
      }
      if (!answer.ok) throw new Error(`The Report of ${imprint} answered ${answer.status}.`);
      return answer.json();
    },
    async stop() {
      gate.close();
      await program.stop();
      removeFolder(dataDir);
    },
  };
}

/** The rules of this checkout, to name those behind a Report's reasons. */
export async function loadRules() {
  const outfile = path.join(ROOT, ".test/bench-risk/rules.mjs");
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["lib/visits/risk/index.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    packages: "external",
    alias: { "@": ROOT },
    logLevel: "silent",
  });
  const { assessRisk, requestFacts, RULES_VERSION } = await import(outfile);
  const visitOf = ({ signals, headers }) => ({
    signals,
    request: requestFacts((name) => headers[name], Object.keys(headers)),
    now: new Date(),
  });
  return { assess: (capture) => assessRisk(visitOf(capture)), visitOf, version: RULES_VERSION };
}
