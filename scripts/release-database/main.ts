import fs from "node:fs";
import path from "node:path";

import { chromium } from "playwright-core";

import manifest from "@/package.json";
import { type CleanUp, lineWriter, runCommand } from "../common/command";
import { startFreshService } from "../common/service";
import { startSandbox } from "../sandbox/sandbox";
import { findChromium } from "../test/chromium.mjs";
import { drawVisits } from "./draw-visits";
import { dumpDatabase } from "./dump";
import { fill, SECRETS, useTrial } from "./fill";
import { addUnresolved, makePurchases, withProvisioningHeld } from "./purchases";

/** The base URL that the dump's secrets are bound to; tests of the upgrade serve under the same one. */
const BASE_URL = "http://imprint.example";

const log = lineWriter(false);

/** Starts a service for the public URL with a sandbox, and a browser that resolves that URL to it. */
async function open(programs: string, cleanUp: CleanUp) {
  const sandbox = await startSandbox();
  cleanUp.push(() => sandbox.close());
  const variables = {
    ...SECRETS,
    ...sandbox.variables,
    BASE_URL,
    PG_BIN_DIR: programs,
    TRUSTED_PROXIES: "loopback",
  };
  const service = await startFreshService({ log, cleanUp, variables });
  const browser = await chromium.launch({
    executablePath: await findChromium({ purpose: "Signing in" }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      `--host-resolver-rules=MAP imprint.example 127.0.0.1:${service.port}`,
    ],
  });
  cleanUp.push(() => browser.close());
  return { sandbox, service, browser };
}

async function fillAndDump(programs: string, cleanUp: CleanUp) {
  // Generated beforehand, because it blocks this process for longer than idle connections are kept.
  const [trialVisit] = drawVisits({ seed: 9, count: 1 });
  if (trialVisit === undefined) throw new Error("No visit was generated.");
  const { sandbox, service, browser } = await open(programs, cleanUp);
  const filled = await fill({ service, browser, log });
  const place = { service, sandbox, log };
  const purchases = await makePurchases(place);
  const active = { ...purchases.active, ...(await useTrial(service, trialVisit, purchases.active)) };
  const { sql, ...others } = await withProvisioningHeld(place, async (provisioning) => {
    const unresolved = await addUnresolved(place);
    return { sql: await dumpDatabase({ programs, dataDir: service.dataDir }), provisioning, ...unresolved };
  });
  const expected = {
    version: manifest.version,
    baseUrl: BASE_URL,
    secrets: SECRETS,
    payTo: sandbox.variables,
    ...filled,
  };
  return { sql, text: JSON.stringify({ ...expected, trials: { ...purchases, active, ...others } }, undefined, 1) };
}

await runCommand({
  name: "release:database",
  about: `Starts this version of Imprint with an empty database, fills it through its own interfaces (a workspace of each plan, visits with Reports, accounts, keys, members, sessions, a connected MCP client, purchases of trials in every state), and writes the data that a later version has to upgrade:

  database.sql.gz  the whole database, by pg_dump
  expected.json    this version's answers: Reports, History, Account Map, units, usage`,
  options: {
    programs: {
      type: "string",
      value: "FOLDER",
      about:
        "folder of PostgreSQL programs including pg_dump, e.g. /usr/lib/postgresql/15/bin (Debian: apt-get install postgresql-15); npm's have no pg_dump",
    },
    out: {
      type: "string",
      default: path.join("releases/database", manifest.version),
      value: "FOLDER",
      about: "output folder",
    },
  },
  async run({ programs, out }, cleanUp) {
    if (programs === undefined || !fs.existsSync(path.join(programs, "pg_dump")))
      throw new Error("--programs must name a folder with pg_dump; see --help.");
    const folder = path.resolve(out);
    const { sql, text } = await fillAndDump(programs, cleanUp);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, "database.sql.gz"), sql);
    fs.writeFileSync(path.join(folder, "expected.json"), `${text}\n`);
    const [megabytes, kilobytes] = [(sql.length / 1e6).toFixed(1), (text.length / 1e3).toFixed(0)];
    log(`${megabytes} MB of database and ${kilobytes} kB of answers in ${folder}`);
    return 0;
  },
});
