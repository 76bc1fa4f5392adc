import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import { ROOT } from "../build/layout.mjs";
import { CHECK_OPTION, type CleanUp, JSON_OPTION, lineWriter, runCommand } from "../common/command";
import { OAuthUser } from "../common/oauth-user";
import { adminTexts, runAdmin, useTestBuild } from "../common/processes";
import { printOutcome, textTable } from "../common/report";
import { makeDataDir, startService } from "../common/service";
import { startSandbox } from "../sandbox/sandbox";
import { BUYERS } from "./buy";
import type { Outcome } from "./client";
import { CLIENTS } from "./clients";
import { installClients, versionOf } from "./install";

const EMAIL = "owner@example.com";

let log = lineWriter(false);

/** Starts the service with a workspace and a signed-in owner. */
async function openService(cleanUp: CleanUp) {
  const sandbox = await startSandbox();
  cleanUp.push(() => sandbox.close());
  const variables = { ...sandbox.variables, X402_SETTLE_TIMEOUT_S: "4" };
  const { url, env } = await startService({ cleanUp, dataDir: makeDataDir(cleanUp), variables });
  const create = ["workspace", "create", "--name", "Clients", "--plan", "enterprise"];
  const { workspace_id: workspaceId } = await adminTexts(create, env, "workspace_id");
  await runAdmin(["member", "add", "--workspace", workspaceId, "--email", EMAIL, "--role", "owner"], env);
  const user = new OAuthUser(url);
  await user.signIn((await adminTexts(["login-link", "--email", EMAIL], env, "url")).url);
  return { url, user, workspaceId, sandbox };
}

/** Runs this command again in a network namespace with only loopback; undefined if that is not possible. */
function runAlone(args: readonly string[]): number | undefined {
  const script = 'ip link set lo up && exec "$0" "$@"';
  const command = ["--net", "sh", "-c", script, process.execPath, "scripts/run.mjs", "clients", "--here", ...args];
  if (spawnSync("unshare", ["--net", "ip", "link", "set", "lo", "up"]).status !== 0) return undefined;
  return spawnSync("unshare", command, { cwd: ROOT, stdio: "inherit" }).status ?? 1;
}

await runCommand({
  name: "clients",
  about:
    "Starts Imprint with an empty database, connects commonly used clients in their released versions, and buys a trial with those that can pay, in a network namespace without access to other machines. The clients are installed into .test/clients on the first run; no model is called. The namespace requires root on Linux; otherwise the normal network is used.",
  options: {
    only: { type: "string", value: "TEXT", about: "only clients whose name contains TEXT" },
    here: { type: "boolean", about: "use this machine's network instead of an isolated namespace" },
    json: JSON_OPTION,
    check: { ...CHECK_OPTION, about: "also exit with 1 if a client does not connect or buy" },
  },
  async run(values, cleanUp) {
    log = lineWriter(values.json);
    useTestBuild();
    await installClients(log);
    if (values.here !== true) {
      const code = runAlone(process.argv.slice(2));
      if (code !== undefined) return code;
      log("This process may not create a network namespace: the clients and the service use this machine's network.");
    }
    const service = await openService(cleanUp);
    const home = makeDataDir(cleanUp);
    const outcomes: Outcome[] = [];
    const tried = [
      ...CLIENTS.map(({ connect, ...client }) => ({ ...client, run: connect })),
      ...BUYERS.map(({ buy, ...client }) => ({ ...client, run: buy })),
    ];
    for (const { name, from, run } of tried) {
      if (values.only !== undefined && !name.toLowerCase().includes(values.only.toLowerCase())) continue;
      log(`${name} ${versionOf(from)}`);
      const folder = path.join(home, name.replaceAll(/\W+/g, "-"));
      fs.mkdirSync(folder);
      const result = await run({ ...service, folder }).catch((error: unknown) => ({
        isConnected: false,
        says: error instanceof Error ? error.message : String(error),
      }));
      outcomes.push({ client: name, version: versionOf(from), ...result });
    }
    return printOutcome(values, {
      result: { outcomes },
      misses: outcomes.filter(({ isConnected }) => !isConnected).map(({ client, says }) => `${client}: ${says}`),
      lines: () =>
        textTable(
          ["Client", "version", "result"],
          outcomes.map(({ client, version, isConnected, says }) => [client, version, isConnected ? says : "failed"]),
        ),
    });
  },
});
