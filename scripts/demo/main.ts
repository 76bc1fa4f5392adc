/** `npm run demo`: the service, a shop that uses it, and visits from sample addresses. `--help` says the rest. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { answersOk, claimPort, listen, runAdmin, startProgram, waitUntil } from "./demo/processes.mjs";
import { SAMPLES } from "./demo/samples.mjs";
import { createVisitProxy, sampleEndpoint } from "./demo/visit-proxy.mjs";

const HELP = `Usage: npm run demo [-- --data-dir DIR] [-- --json]

Starts Imprint with an empty database, makes a workspace, a Web App and a key with the
command line of operators, and serves a small shop of another origin that asks Imprint
about every sign-in. A proxy on this machine stands in front of Imprint, as its trusted
proxy, and lends visits sample public addresses, so that network facts can be seen.

  --data-dir DIR  keep the data in DIR; without it they are removed at the end
  --json          print one line of JSON with addresses and keys when ready; all else
                  goes to the standard error output
  --help          this text

  PORT            port of Imprint, default 3000; the shop takes the next one. 0: any free ones
Ctrl-C stops everything.`;

/** Who owns the workspace; nobody gets mail. */
const OWNER = "owner@example.com";

/** The first start builds the pages. */
const SERVICE_TIMEOUT_MS = 10 * 60_000;
const SHOP_TIMEOUT_MS = 15_000;

const { values: options } = parseArgs({
  options: { help: { type: "boolean" }, json: { type: "boolean" }, "data-dir": { type: "string" } },
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

function openDataDir() {
  const given = options["data-dir"];
  if (given !== undefined) return path.resolve(given);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "imprint-demo-"));
  // Started by root, PostgreSQL runs as another user and has to reach its files.
  fs.chmodSync(folder, 0o711);
  undo.push(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function openProxy(wantedPort, servicePort) {
  const server = createVisitProxy(() => servicePort);
  const port = await listen(server, wantedPort);
  undo.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://localhost:${port}`;
}

/** A program whose end ends the demonstration. */
function keepRunning(program) {
  undo.push(() => program.stop());
  void program.ended.then(() => {
    if (isStopping) return;
    say(`The ${program.name} ended, so the demonstration ends too.`);
    return stop(1);
  });
  return program;
}

async function startService(env, port) {
  // The demonstration makes an owner itself, and its link is printed at the end.
  const onLine = (line) => isStopping || line.startsWith("Set-up") || say(line);
  const program = keepRunning(startProgram("service", ["scripts/start.mjs"], { env, onLine }));
  await waitUntil(() => answersOk(`http://localhost:${port}/readyz`), { program, timeoutMs: SERVICE_TIMEOUT_MS });
}

async function startShop({ imprintUrl, port, environmentId, apiKey }) {
  const visitors = SAMPLES.map(({ id, label, detail }) => ({
    id,
    label,
    detail,
    endpoint: sampleEndpoint(imprintUrl, id),
  }));
  const env = {
    ...process.env,
    PORT: String(port),
    IMPRINT_URL: imprintUrl,
    IMPRINT_ENVIRONMENT_ID: environmentId,
    IMPRINT_KEY: apiKey,
    SAMPLE_VISITORS: JSON.stringify(visitors),
  };
  const onLine = (line) => say(`shop | ${line}`);
  const program = keepRunning(startProgram("shop", ["examples/shop/server.mjs"], { env, onLine }));
  await waitUntil(() => answersOk(`http://localhost:${port}/`), { program, timeoutMs: SHOP_TIMEOUT_MS });
}

/** A workspace with one Web App for the shop, its first key and an owner, by the verbs that the Console uses too. */
async function makeWebApp(env, shopUrl) {
  const { workspace_id } = await runAdmin(["workspace", "create", "--name", "Fernway Plants"], env);
  const app = await runAdmin(
    ["web-app", "create", "--workspace", workspace_id, "--name", "Shop", "--origin", shopUrl],
    env,
  );
  await runAdmin(["member", "add", "--workspace", workspace_id, "--email", OWNER, "--role", "owner"], env);
  const { url } = await runAdmin(["login-link", "--email", OWNER], env);
  return { workspace_id, ...app, console_url: url };
}

function explain({ imprint_url, shop_url, console_url }) {
  say(`
The demonstration is ready.

  Shop      ${shop_url}   sign in with any password and read what Imprint reports
  Imprint   ${imprint_url}   the service and its documentation
  Console   ${console_url}
            signs in as ${OWNER}; works once, within 15 minutes

  1. Open the shop and press "Sign in". The next page shows the verdict, the Report and the wire.
  2. Sign in again: the device is recognised, and the visits are counted.
  3. Choose another sample address, or block the component: the form works all the same.
  4. Open the Console and find the same visits among the Reports.
  Every Report that the shop's server reads is printed here.

Ctrl-C stops everything.
`);
}

async function main() {
  if (options.help) return void console.log(HELP);
  const wanted = Number(process.env.PORT || 3000);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_534)
    throw new Error("PORT has to be a number from 0 to 65534.");
  const servicePort = await claimPort(0);
  const imprintUrl = await openProxy(wanted, servicePort);
  const shopPort = await claimPort(wanted === 0 ? 0 : wanted + 1);
  const shopUrl = `http://localhost:${shopPort}`;
  const env = {
    ...process.env,
    DATA_DIR: openDataDir(),
    PORT: String(servicePort),
    BASE_URL: imprintUrl,
    TRUSTED_PROXIES: "loopback",
    LOG_LEVEL: process.env.LOG_LEVEL || "warn",
  };
  await startService(env, servicePort);
  const made = await makeWebApp(env, shopUrl);
  await startShop({ imprintUrl, port: shopPort, environmentId: made.environment_id, apiKey: made.api_key });
  const facts = { imprint_url: imprintUrl, shop_url: shopUrl, data_dir: env.DATA_DIR, ...made };
  if (options.json) process.stdout.write(`${JSON.stringify(facts)}\n`);
  else explain(facts);
}

process.on("SIGINT", () => void stop(0));
process.on("SIGTERM", () => void stop(0));
main().catch((error) => {
  if (!isStopping) say(error.message);
  return stop(1);
});
