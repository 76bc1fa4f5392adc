/**
 * Makes what `npm run bench:http` reads: one enterprise workspace with a Web App and many keys, by the verbs that the
 * Console uses. Prints one line of JSON. Runs beside the service whose `DATA_DIR` it is given.
 */
import { resolve } from "node:path";

import { connect } from "@/db/client";
import { openEmbedded } from "@/db/embedded";
import { loadSecrets } from "@/db/secrets";
import { createKey } from "@/lib/api-keys";
import { now } from "@/lib/clock";
import { env } from "@/lib/env";
import { publishSecrets } from "@/lib/secrets";
import { createWebApp } from "@/lib/web-apps";
import { createWorkspace } from "@/lib/workspaces";

const [origin = "", keyCount = "0"] = process.argv.slice(2);

const dataDir = resolve(env.DATA_DIR);
const { AUTH_SECRET, KEY_PEPPER, KEKS } = loadSecrets(dataDir, {});
publishSecrets({ authSecret: AUTH_SECRET, keyPepper: KEY_PEPPER, keks: KEKS });
const server = await openEmbedded({ dataDir, binDir: env.PG_BIN_DIR });
const connection = connect({ url: server.url, poolSize: 2, prepare: true, applicationName: "imprint-bench" });
const context = { db: connection.db, now: now(), actor: { kind: "operator" } as const };

const { workspaceId } = await createWorkspace(context, { name: "Benchmark", plan: "enterprise" });
const { environmentId } = await createWebApp(context, { workspaceId, name: "Benchmark", origins: [origin] });
const keys: string[] = [];
for (let index = 0; index < Number(keyCount); index += 1) {
  keys.push((await createKey(context, { workspaceId, name: `Load ${index}` })).apiKey);
}
process.stdout.write(`${JSON.stringify({ databaseUrl: server.url, workspaceId, environmentId, keys })}\n`);
await connection.close();
await server.close();
