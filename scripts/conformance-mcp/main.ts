import { type CleanUp, JSON_OPTION, lineWriter, runCommand } from "../common/command";
import { accessToken, OAuthUser, registerClient, SCOPES } from "../common/oauth-user";
import { adminTexts, claimPort, runAdmin } from "../common/processes";
import { makeDataDir, startService } from "../common/service";
import { openTokenProxy } from "./token-proxy";
import { findSurprises, listPath, readScenarios } from "./expectations";
import { openFixtureServer } from "./fixtures/server";
import { installTools, runSuite } from "./tools";

const EMAIL = "owner@example.com";

let log = lineWriter(false);

/** Starts the service with a workspace and a signed-in owner. */
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

type Results = { name: string; isAsExpected: boolean; scenarios: ReturnType<typeof readScenarios> };

/** Prints the outcome of each scenario, and the end of the output if it deviates from the lists. */
function report(
  name: string,
  { code, output }: Awaited<ReturnType<typeof runSuite>>,
  surprises: readonly string[],
): Results {
  const scenarios = readScenarios(output);
  for (const [scenario, end] of scenarios) log(`${end === "passed" ? "✓" : "✗"} ${scenario}`);
  if (code !== 0) log(output.split("\n").slice(-25).join("\n"));
  for (const surprise of surprises) log(`NOT AS LISTED  ${surprise}`);
  return { name, isAsExpected: code === 0 && surprises.length === 0, scenarios };
}

async function runServer(list: string, args: readonly string[], fixtures?: Results): Promise<Results> {
  log(`\n${list}`);
  const result = await runSuite(["server", ...args, "--expected-failures", listPath(list)]);
  return report(list, result, findSurprises(list, readScenarios(result.output), fixtures));
}

/** Runs the suite for authorization servers, which prints a URL and waits until it is visited. */
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
  const result = await runSuite(["authorization", ...args], (text) => {
    const found = text.match(/http:\/\/\S+\/oauth\/authorize\?\S+/g) ?? [];
    for (const url of found.filter((each) => !visited.has(each))) {
      visited.add(url);
      visit(url).catch((error: unknown) => {
        log(`  ${String(error)}`);
      });
    }
  });
  return report(name, result, []);
}

await runCommand({
  name: "conformance:mcp",
  about:
    "Starts Imprint with an empty database, connects a client to it, and runs the newest official conformance suite of the Model Context Protocol: for both protocol versions, and for the authorization server. It also runs against the tools, prompts and resources that the suite expects, served behind the service's endpoint. The suite requires Node 22, which npm installs into .test/conformance on the first run.\n\nExpected failures are listed in scripts/conformance-mcp/*.yml: for the service, scenarios that pass with those fixtures or are excluded; for the fixtures, scenarios that are excluded, and why. The run fails if any other scenario fails, or if a listed one passes.",
  options: { json: JSON_OPTION },
  async run(values, cleanUp) {
    log = lineWriter(values.json);
    await installTools(log);
    const site = await openService(cleanUp);
    const fixtures = `${await openFixtureServer(cleanUp)}/mcp`;
    const token = await accessToken(site.base, site.user, { workspaceId: site.workspaceId, scopes: SCOPES });
    const url = ["--url", `${await openTokenProxy(site.base, token, cleanUp)}/mcp`];
    const newest = ["--requirements", "2026-07-28"];
    const former = ["--requirements", "2025-11-25"];
    const formerFixtures = await runServer("fixtures-2025-11-25", ["--url", fixtures, ...former]);
    const newestFixtures = await runServer("fixtures-2026-07-28", ["--url", fixtures, ...newest]);
    const results = [
      formerFixtures,
      newestFixtures,
      await runServer("service-2025-11-25", [...url, ...former], formerFixtures),
      await runServer("service-2026-07-28", [...url, ...newest], newestFixtures),
      await runAuthorization(site),
    ];
    const isAsExpected = results.every((result) => result.isAsExpected);
    log(isAsExpected ? "\nAll as expected." : "\nNot as expected.");
    if (values.json)
      console.log(
        JSON.stringify({
          as_expected: isAsExpected,
          results: results.map((each) => ({ ...each, scenarios: Object.fromEntries(each.scenarios) })),
        }),
      );
    return isAsExpected ? 0 : 1;
  },
});
