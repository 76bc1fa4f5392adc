/** `npm run demo:agent`: an agent discovers, buys and uses a trial, without a human and without real money. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { activate, createIntent, discover, read, readChallenge, waitForCredentials } from "./demo-agent/purchase.mjs";
import { openSite, visit } from "./demo-agent/visit.mjs";
import { answersOk, claimPort, startProgram, waitUntil } from "./demo/processes.mjs";
import { loadSandbox } from "./sandbox/load.mjs";
import { findChromium } from "./test/chromium.mjs";

const HELP = `Usage: npm run demo:agent [-- --no-browser] [-- --json]

Starts Imprint with an empty database, a simulated chain and the official x402 facilitator, all on
this machine. Then an agent with the official client (@x402/fetch) buys an Agent Trial, a browser
visits a page of the trial's origin, and the agent reads the Report with its new key.

  --no-browser  submit what a real Chromium sent once, instead of starting one; where no Chromium is
                found the demonstration says so at its start
  --json        print one line of JSON with the results; all else goes to the standard error output
  --help        this text

No money is real: the chain is eip155:31337, and nothing signed here is valid on a public network.`;

/** The first start builds the pages. */
const SERVICE_TIMEOUT_MS = 10 * 60_000;

const { values: options } = parseArgs({
  options: { help: { type: "boolean" }, json: { type: "boolean" }, "no-browser": { type: "boolean" } },
});

const say = (line) => (options.json ? process.stderr : process.stdout).write(`${line}\n`);

/** What has to be undone, the last first. @type {(() => Promise<unknown> | unknown)[]} */
const undo = [];
let isStopping = false;

async function stop(code) {
  if (isStopping) return;
  isStopping = true;
  for (const step of undo.reverse()) await step();
  process.exit(code);
}

/** @type {{ step: string, ms: number }[]} */
const timings = [];

/** Runs one step and tells what came of it. @template T @param {string} title @param {() => Promise<T>} work @param {(result: T) => string[]} describe */
async function step(title, work, describe) {
  const startedAt = performance.now();
  const result = await work();
  const ms = Math.round(performance.now() - startedAt);
  timings.push({ step: title, ms });
  say(`\n${String(timings.length).padStart(2)}  ${title.padEnd(66)}${String(ms).padStart(5)} ms`);
  for (const line of describe(result)) say(`      ${line}`);
  return result;
}

async function startService(variables) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "imprint-agent-"));
  // Started by root, PostgreSQL runs as another user and has to reach its files.
  fs.chmodSync(dataDir, 0o711);
  undo.push(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const port = await claimPort(0);
  const url = `http://localhost:${port}`;
  const env = {
    ...process.env,
    ...variables,
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    PORT: String(port),
    BASE_URL: url,
    LOG_LEVEL: process.env.LOG_LEVEL || "warn",
  };
  const onLine = (line) => isStopping || /^(Set-up|Ctrl-C)/.test(line) || say(`service | ${line}`);
  const program = startProgram("service", ["scripts/start.mjs"], { env, onLine });
  undo.push(() => program.stop());
  await waitUntil(() => answersOk(`${url}/readyz`), { program, timeoutMs: SERVICE_TIMEOUT_MS });
  return url;
}

/** Everything from the catalog to the key. */
async function buy(imprintUrl, { origin, buyer }) {
  const { product } = await step(
    "Discover: GET /api/v1/agent/products",
    () => discover(imprintUrl),
    ({ product: { code, price, report_units, expires_in_hours }, link }) => [
      `${code}: ${report_units} Reports within ${expires_in_hours} hours`,
      `price ${price.amount_atomic} atomic units of ${price.asset} on ${price.network}`,
      `more to discover: Link ${link}`,
    ],
  );
  const intent = await step(
    "Start: POST /api/v1/agent/trial-intents",
    () => createIntent(imprintUrl, { productCode: product.code, origin }),
    ({ intent_id, status }) => [`${intent_id} for ${origin}: ${status}`, "the claim token stays in this process"],
  );
  await step(
    "Ask: POST …/activate without a payment is answered with 402",
    () => readChallenge(intent),
    ({ accepts: [{ scheme, amount, payTo, maxTimeoutSeconds }] }) => [
      `PAYMENT-REQUIRED: scheme ${scheme}, ${amount} to ${payTo}, to be signed for at most ${maxTimeoutSeconds} s`,
    ],
  );
  const { settlement } = await step(
    "Pay: the same with @x402/fetch, which signs and retries",
    () => activate(intent, buyer.pay),
    ({ status, settlement: settled }) => [
      `${status}, PAYMENT-RESPONSE: ${settled ? `transaction ${settled.transaction}` : "not yet"}`,
    ],
  );
  const again = await step(
    "Again: a repeated activation does not charge twice",
    () => activate(intent, buyer.pay),
    ({ status }) => [`${status}; signatures made so far: ${buyer.signatures()}`],
  );
  const credentials = await step(
    "Poll: GET …/trial-intents/{id} until the credentials are there",
    () => waitForCredentials(intent),
    ({ trial_id, environment_id, api_key, quota }) => [
      `${trial_id}: ${environment_id}, key ${api_key.slice(0, 10)}…`,
      `${quota.remaining_reports} of ${quota.total_reports} Reports left`,
    ],
  );
  return { product, intent, settlement: again.settlement ?? settlement, credentials };
}

/** A visit and its Report, by the key that was bought. */
async function use(imprintUrl, { site, browser, environment_id: environmentId, api_key: apiKey }) {
  site.use(environmentId);
  const { imprint } = await step(
    "Visit: a page of the trial's origin runs the component",
    () => visit({ imprintUrl, origin: site.origin, environmentId, browser }),
    ({ imprint: made, by }) => [`${made} by ${by}`],
  );
  const report = await step(
    "Read: GET /api/v1/fingerprint/report/{imprint}",
    () => read(imprintUrl, `/api/v1/fingerprint/report/${imprint}`, apiKey),
    ({ device, risk, browser, operating_system }) => [
      `device ${device.id}, seen before: ${device.seen_before}`,
      `${browser.name ?? "unknown browser"} on ${operating_system.name ?? "an unknown system"}`,
      `risk ${risk.status}: ${risk.reasons.join(", ") || "no findings"}`,
    ],
  );
  const grant = await step(
    "Account: GET /api/v1/agent/trial",
    () => read(imprintUrl, "/api/v1/agent/trial", apiKey),
    ({ used_report_units, total_report_units, remaining_submit_requests }) => [
      `${used_report_units} of ${total_report_units} Reports used, ${remaining_submit_requests} submissions left`,
    ],
  );
  return { imprint, report, grant };
}

/** The browser of the visit, looked for before anything is built or bought. */
async function chooseBrowser() {
  if (options["no-browser"]) return undefined;
  try {
    return await findChromium({ purpose: "The visit", isLookingOnly: true });
  } catch (error) {
    throw new Error(`${error.message}\nWithout a browser: npm run demo:agent -- --no-browser`, { cause: error });
  }
}

async function main() {
  if (options.help) return void console.log(HELP);
  const browser = await chooseBrowser();
  say("Sandbox: no real money. Chain eip155:31337, token and facilitator on this machine.");
  const { createBuyer, startSandbox } = await loadSandbox();
  const sandbox = await startSandbox();
  undo.push(() => sandbox.close());
  const imprintUrl = await startService(sandbox.variables);
  const site = await openSite({ imprintUrl });
  undo.push(() => site.close());
  const buyer = createBuyer(sandbox.createAccount());
  const { intent, settlement, credentials } = await buy(imprintUrl, { origin: site.origin, buyer });
  const { report, grant } = await use(imprintUrl, { site, browser, ...credentials });
  const paid = sandbox.income();
  const isExact = paid === BigInt(sandbox.variables.X402_AMOUNT_ATOMIC) && buyer.signatures() === 1;
  say(`\nThe seller received ${paid} atomic units in one transfer; the agent signed ${buyer.signatures()} payment.`);
  const { trial_id, environment_id } = credentials;
  const facts = {
    ok: isExact,
    intent_id: intent.intent_id,
    trial_id,
    environment_id,
    settlement,
    report,
    grant,
    timings,
  };
  if (options.json) process.stdout.write(`${JSON.stringify({ ...facts, paid_atomic: paid.toString() })}\n`);
  await stop(isExact ? 0 : 1);
}

process.on("SIGINT", () => void stop(130));
process.on("SIGTERM", () => void stop(143));
main().catch((error) => {
  if (!isStopping) say(`\n${error.message}`);
  return stop(1);
});
