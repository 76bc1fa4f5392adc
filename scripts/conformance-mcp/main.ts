/** `npm run conformance:mcp`: the official conformance suite of the Model Context Protocol against this service. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { accessToken, Person, register } from "./conformance-mcp/person.mjs";
import { openTokenProxy } from "./conformance-mcp/token-proxy.mjs";
import { installTools, runSuite } from "./conformance-mcp/tools.mjs";
import { ROOT } from "./build/layout.mjs";
import { answersOk, claimPort, runAdmin, startProgram, waitUntil } from "./demo/processes.mjs";

const HELP = `Usage: npm run conformance:mcp [-- --json]

Starts Imprint with an empty database, connects a client to it, and runs the official
conformance suite of the Model Context Protocol: the stable one, and the coming one for
the revision 2026-07-28 and for the authorization server. The suite needs Node 22, which
npm brings into .test/conformance on the first run.

What is expected to fail stands with its reason in scripts/conformance-mcp/*.yml; the run
fails when anything else fails, and when something of those lists passes.

  --json   print one line of JSON with the results; all else goes to the error output
  --help   this text`;

const SCOPES = ["svc.report.lite", "svc.report.pro", "svc.history.read", "svc.usage.read"];
const SERVICE_TIMEOUT_MS = 10 * 60_000;
const EMAIL = "owner@example.com";

const { values: options } = parseArgs({ options: { help: { type: "boolean" }, json: { type: "boolean" } } });
const say = (line) => (options.json ? process.stderr : process.stdout).write(`${line}\n`);
const baseline = (name) => path.join(ROOT, "scripts/conformance-mcp", name);

/** The service with a workspace and a signed-in owner. */
async function openService(undo) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "imprint-conformance-"));
  fs.chmodSync(dataDir, 0o711);
  undo.push(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const port = await claimPort(0);
  const base = `http://localhost:${port}`;
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, BASE_URL: base, LOG_LEVEL: "warn" };
  const service = startProgram("service", ["scripts/start.mjs"], { env, onLine: (line) => say(`  ${line}`) });
  undo.push(() => service.stop());
  await waitUntil(() => answersOk(`${base}/readyz`), { program: service, timeoutMs: SERVICE_TIMEOUT_MS });
  const workspace = await runAdmin(["workspace", "create", "--name", "Conformance", "--plan", "enterprise"], env);
  const workspaceId = workspace.workspace_id;
  await runAdmin(["member", "add", "--workspace", workspaceId, "--email", EMAIL, "--role", "owner"], env);
  const person = new Person(base);
  await person.signIn((await runAdmin(["login-link", "--email", EMAIL], env)).url);
  return { base, person, workspaceId };
}

/** Runs the suite for servers; how many scenarios passed and failed, and whether that is as listed. */
async function runServer(name, suite, args, file) {
  say(`\n${name}`);
  const { code, output } = await runSuite(suite, ["server", ...args, "--expected-failures", baseline(file)]);
  const results = output.split("\n").filter((line) => /^\s*[✓✗]/u.test(line));
  for (const line of results) say(line);
  if (code !== 0) say(output.split("\n").slice(-25).join("\n"));
  return { name, isAsExpected: code === 0, scenarios: results.map((line) => line.trim()) };
}

/** Runs the suite for authorization servers: it prints an address and waits until somebody has been there. */
async function runAuthorization({ base, person, workspaceId }) {
  say("\nauthorization server");
  const port = await claimPort(0);
  const clientId = await register(base, `http://127.0.0.1:${port}/callback`);
  const visited = new Set();
  const visit = async (url) => {
    const callback = await person.allow(url, { workspaceId, scopes: SCOPES });
    await (await fetch(callback)).text();
  };
  const args = ["--url", base, "--client-id", clientId, "--resource", `${base}/mcp`, "--port", String(port)];
  const { code, output } = await runSuite("suite-next", ["authorization", ...args], (text) => {
    const found = text.match(/http:\/\/\S+\/oauth\/authorize\?\S+/g) ?? [];
    for (const url of found.filter((each) => !visited.has(each))) {
      visited.add(url);
      visit(url).catch((error) => say(`  ${error.message}`));
    }
  });
  const results = output.split("\n").filter((line) => /^\s*[✓✗]/u.test(line));
  for (const line of results) say(line);
  if (code !== 0) say(output.split("\n").slice(-25).join("\n"));
  return { name: "authorization server", isAsExpected: code === 0, scenarios: results.map((line) => line.trim()) };
}

async function main() {
  const undo = [];
  try {
    await installTools(say);
    const site = await openService(undo);
    const token = await accessToken(site.base, site.person, { workspaceId: site.workspaceId, scopes: SCOPES });
    const proxy = await openTokenProxy(site.base, token);
    undo.push(() => proxy.close());
    const results = [
      await runServer("server, stable suite", "suite-stable", ["--url", proxy.url], "stable.yml"),
      await runServer(
        "server, revision 2026-07-28",
        "suite-next",
        ["--url", proxy.url, "--requirements", "2026-07-28"],
        "2026-07-28.yml",
      ),
      await runAuthorization(site),
    ];
    const isAsExpected = results.every((result) => result.isAsExpected);
    say(isAsExpected ? "\nAll as expected." : "\nNot as expected.");
    if (options.json) process.stdout.write(`${JSON.stringify({ as_expected: isAsExpected, results })}\n`);
    return isAsExpected ? 0 : 1;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

if (options.help) console.log(HELP);
else process.exitCode = await main();
