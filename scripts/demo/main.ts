import path from "node:path";

import { JSON_OPTION, lineWriter, runCommand } from "../common/command";
import {
  adminTexts,
  claimPort,
  environmentWith,
  listenHttp,
  runAdmin,
  startProgram,
  waitUntilReady,
} from "../common/processes";
import { makeDataDir, startService } from "../common/service";
import { installServerPackage } from "../server-package/install.mjs";
import { SAMPLES } from "./samples";
import { createVisitProxy, sampleEndpoint } from "./visit-proxy";

/** Owner of the workspace; no mail is sent. */
const OWNER = "owner@example.com";
const SHOP_FOLDER = "examples/shop";
const SHOP_TIMEOUT_MS = 15_000;

type Shop = { imprintUrl: string; port: number; environmentId: string; apiKey: string };

async function startShop({ imprintUrl, port, environmentId, apiKey }: Shop, log: (line: string) => void) {
  const visitors = SAMPLES.map(({ address: _address, ...visitor }) => ({
    ...visitor,
    endpoint: sampleEndpoint(imprintUrl, visitor.id),
  }));
  const env = environmentWith({
    PORT: String(port),
    IMPRINT_URL: imprintUrl,
    IMPRINT_ENVIRONMENT_ID: environmentId,
    IMPRINT_KEY: apiKey,
    SAMPLE_VISITORS: JSON.stringify(visitors),
  });
  await installServerPackage(SHOP_FOLDER);
  const program = startProgram("shop", [`${SHOP_FOLDER}/server.mjs`], {
    env,
    onLine(line) {
      log(`shop | ${line}`);
    },
  });
  await waitUntilReady(program, { url: `http://localhost:${port}/`, timeoutMs: SHOP_TIMEOUT_MS });
  return program;
}

/**
 * Creates a workspace with one Web App for the shop, its first key and an owner, using the same verbs as the Console.
 */
async function makeWebApp(env: NodeJS.ProcessEnv, shopUrl: string) {
  const workspace = await adminTexts(["workspace", "create", "--name", "Fernway Plants"], env, "workspace_id");
  const of = ["--workspace", workspace.workspace_id];
  const create = ["web-app", "create", ...of, "--name", "Shop", "--origin", shopUrl];
  const app = await adminTexts(create, env, "web_app_id", "environment_id", "api_key");
  await runAdmin(["member", "add", ...of, "--email", OWNER, "--role", "owner"], env);
  const { url } = await adminTexts(["login-link", "--email", OWNER], env, "url");
  return { ...workspace, ...app, console_url: url };
}

type Addresses = { imprint_url: string; shop_url: string; console_url: string };

const introduction = ({ imprint_url, shop_url, console_url }: Addresses) => `
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
`;

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_534) return port;
  throw new Error("PORT must be a number from 0 to 65534.");
}

await runCommand({
  name: "demo",
  about:
    "Starts Imprint with an empty database, creates a workspace, a Web App and a key with the admin command line, and serves a small shop on another origin that asks Imprint about every sign-in. A trusted proxy in front of Imprint assigns sample public addresses to visits, so that network facts are visible.",
  options: {
    "data-dir": {
      type: "string",
      value: "DIR",
      about: "keep the data in DIR; otherwise it is removed at the end",
    },
    json: {
      ...JSON_OPTION,
      about: "print one line of JSON with URLs and keys when ready; everything else goes to stderr",
    },
  },
  notes:
    "PORT is the port of Imprint (default 3000); the shop uses the next one. With 0, both use free ports.\nCtrl-C stops everything.",
  isEndedBySignal: true,
  async run(values, cleanUp, isEnding) {
    const log = lineWriter(values.json);
    const { PORT, LOG_LEVEL } = environmentWith({});
    const wanted = portOf(PORT || "3000");
    const servicePort = await claimPort();
    const { url: imprintUrl } = await listenHttp(createVisitProxy(servicePort), { port: wanted, cleanUp });
    const shopPort = await claimPort(wanted === 0 ? 0 : wanted + 1);
    const shopUrl = `http://localhost:${shopPort}`;
    const given = values["data-dir"];
    const dataDir = given === undefined ? makeDataDir(cleanUp) : path.resolve(given);
    const service = await startService({
      cleanUp,
      dataDir,
      port: servicePort,
      variables: { BASE_URL: imprintUrl, TRUSTED_PROXIES: "loopback", LOG_LEVEL },
      onLine(line) {
        // The demo creates an owner itself and prints a sign-in link at the end.
        if (!isEnding() && !line.startsWith("Set-up")) log(line);
      },
    });
    const made = await makeWebApp(service.env, shopUrl);
    const shop = await startShop(
      { imprintUrl, port: shopPort, environmentId: made.environment_id, apiKey: made.api_key },
      log,
    );
    cleanUp.push(() => shop.stop());
    const facts = { imprint_url: imprintUrl, shop_url: shopUrl, data_dir: dataDir, ...made };
    if (values.json) console.log(JSON.stringify(facts));
    else log(introduction(facts));
    const ended = await Promise.race([service, shop].map(({ name, ended: end }) => end.then(() => name)));
    if (!isEnding()) log(`The ${ended} exited, so the demonstration ends too.`);
    return 1;
  },
});
