import path from "node:path";

import { ROOT } from "../build/layout.mjs";
import { type CleanUp, JSON_OPTION, lineWriter, runCommand } from "../common/command";
import { accessToken, OAuthUser, registerClient, SCOPES } from "../common/oauth-user";
import { adminTexts, claimPort, runAdmin } from "../common/processes";
import { makeDataDir, startService } from "../common/service";
import { openTokenProxy } from "./token-proxy";
import { installTools, runSuite, type Suite } from "./tools";

const EMAIL = "owner@example.com";

let log = lineWriter(false);

/** The service with a workspace and a signed-in owner. */
async function openService(cleanUp: CleanUp) {
  const { url: base, env } = await startService({
    cleanUp,
    dataDir: makeDataDir(cleanUp),
    variables: { LOG_LEVEL: "warn" },
    onLine(line) {
      log(`  ${line}`);
    },
  });
  const create = ["workspace", "create", "--name", "Conformance", "--plan", "enterprise"];
  const { workspace_id: workspaceId } = await adminTexts(create, env, "workspace_id");
  await runAdmin(["member", "add", "--workspace", workspaceId, "--email", EMAIL, "--role", "owner"], env);
  const user = new OAuthUser(base);
  await user.signIn((await adminTexts(["login-link", "--email", EMAIL], env, "url")).url);
  return { base, user, workspaceId };
}

/** Prints the scenarios of a suite, and the end of its output when they did not go as listed. */
function readResults(name: string, { code, output }: { code: number | null; output: string }) {
  const scenarios = output.split("\n").filter((line) => /^\s*[✓✗]/u.test(line));
  for (const line of scenarios) log(line);
  if (code !== 0) log(output.split("\n").slice(-25).join("\n"));
  return { name, isAsExpected: code === 0, scenarios: scenarios.map((line) => line.trim()) };
}

async function runServer(name: string, suite: Suite, args: readonly string[], file: string) {
  log(`\n${name}`);
  const expected = path.join(ROOT, "scripts/conformance-mcp", file);
  return readResults(name, await runSuite(suite, ["server", ...args, "--expected-failures", expected]));
}

/** Runs the suite for authorization servers: it prints an address and waits until somebody has been there. */
async function runAuthorization({ base, user, workspaceId }: Awaited<ReturnType<typeof openService>>) {
  const name = "authorization server";
  log(`\n${name}`);
  const port = await claimPort();
  const redirectUri = `http://127.0.0.1:${port}/callback`;
  const clientId = await registerClient(base, { name: "Conformance suite", redirectUri });
  const visited = new Set<string>();
  const visit = async (url: string) => {
    const callback = await user.allow(url, { workspaceId, scopes: SCOPES });
    await (await fetch(callback)).text();
  };
  const args = ["--url", base, "--client-id", clientId, "--resource", `${base}/mcp`, "--port", String(port)];
  const result = await runSuite("suite-next", ["authorization", ...args], (text) => {
    const found = text.match(/http:\/\/\S+\/oauth\/authorize\?\S+/g) ?? [];
    for (const url of found.filter((each) => !visited.has(each))) {
      visited.add(url);
      visit(url).catch((error: unknown) => {
        log(`  ${String(error)}`);
      });
    }
  });
  return readResults(name, result);
}

await runCommand({
  name: "conformance:mcp",
  about:
    "Starts Imprint with an empty database, connects a client to it, and runs the official conformance suite of the Model Context Protocol: the stable one, and the coming one for the revision 2026-07-28 and for the authorization server. The suite needs Node 22, which npm brings into .test/conformance on the first run.\n\nWhat is expected to fail stands with its reason in scripts/conformance-mcp/*.yml; the run fails when anything else fails, and when something of those lists passes.",
  options: { json: JSON_OPTION },
  async run(values, cleanUp) {
    log = lineWriter(values.json);
    await installTools(log);
    const site = await openService(cleanUp);
    const token = await accessToken(site.base, site.user, { workspaceId: site.workspaceId, scopes: SCOPES });
    const url = ["--url", `${await openTokenProxy(site.base, token, cleanUp)}/mcp`];
    const next = [...url, "--requirements", "2026-07-28"];
    const results = [
      await runServer("server, stable suite", "suite-stable", url, "stable.yml"),
      await runServer("server, revision 2026-07-28", "suite-next", next, "2026-07-28.yml"),
      await runAuthorization(site),
    ];
    const isAsExpected = results.every((result) => result.isAsExpected);
    log(isAsExpected ? "\nAll as expected." : "\nNot as expected.");
    if (values.json) console.log(JSON.stringify({ as_expected: isAsExpected, results }));
    return isAsExpected ? 0 : 1;
  },
});
