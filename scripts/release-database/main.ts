/** `npm run release:database`: a populated database of this version, for the upgrade test of every later one. */
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

import { chromium } from "playwright-core";

import { loadBundle } from "./bench-database/bundle.mjs";
import { ROOT } from "./build/layout.mjs";
import { startFreshService } from "./demo/fresh-service.mjs";
import { loadSandbox } from "./sandbox/load.mjs";
import { dumpDatabase } from "./release-database/dump.mjs";
import { addUnresolved, makePurchases, withProvisioningHeld } from "./release-database/purchases.mjs";
import { fill, SECRETS, useTrial } from "./release-database/fill.mjs";
import { findChromium } from "./test/chromium.mjs";

const HELP = `Usage: npm run release:database -- --programs FOLDER [--out FOLDER]

Starts this version of Imprint with an empty database, fills it through its own interfaces (a workspace of each plan,
visits with Reports, accounts, keys, members, sessions, a connected MCP client, purchases of trials in every state),
and writes what a later version has to upgrade:

  database.sql.gz  the whole database, by pg_dump
  expected.json    what this version answered: Reports, History, Account Map, units, usage

  --programs FOLDER  PostgreSQL programs with pg_dump among them, e.g. /usr/lib/postgresql/15/bin
                     (Debian: apt-get install postgresql-15); npm's have no pg_dump
  --out FOLDER       default: releases/database/VERSION
  --help             this text`;

/** The address that the secrets of the dump are bound to; whoever upgrades it serves under the same one. */
const BASE_URL = "http://imprint.example";

const { values } = parseArgs({
  options: { programs: { type: "string" }, out: { type: "string" }, help: { type: "boolean" } },
});

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** @type {(() => Promise<unknown> | unknown)[]} */
const undo = [];

async function stop(/** @type {number} */ code) {
  for (const step of undo.splice(0).reverse()) await step();
  process.exit(code);
}

async function main() {
  if (values.help) {
    say(HELP);
    return 0;
  }
  if (values.programs === undefined || !fs.existsSync(path.join(values.programs, "pg_dump"))) {
    say("--programs has to name a folder with pg_dump; see --help.");
    return 2;
  }
  process.chdir(ROOT);
  const { version } = JSON.parse(fs.readFileSync("package.json", "utf8"));
  const folder = path.resolve(values.out ?? path.join("releases/database", version));
  const { drawVisits } = await loadBundle("release-database/draw-visits.ts");
  // Drawn ahead: it keeps this process busy for longer than idle connections live.
  const [trialVisit] = drawVisits({ seed: 9, count: 1 });
  const sandboxModule = await loadSandbox();
  const sandbox = await sandboxModule.startSandbox();
  undo.push(() => sandbox.close());
  const variables = {
    ...SECRETS,
    ...sandbox.variables,
    BASE_URL,
    PG_BIN_DIR: values.programs,
    TRUSTED_PROXIES: "loopback",
    LOG_LEVEL: "warn",
  };
  const service = await startFreshService({ say, undo, variables });
  const browser = await chromium.launch({
    executablePath: await findChromium({ purpose: "Signing in" }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      `--host-resolver-rules=MAP imprint.example 127.0.0.1:${new URL(service.url).port}`,
    ],
  });
  undo.push(() => browser.close());
  const filled = await fill({ service, browser, drawVisits, say });
  const place = { service, sandbox, createBuyer: sandboxModule.createBuyer, say };
  const purchases = await makePurchases(place);
  const trialImprint = await useTrial(service, trialVisit, purchases.active);
  const dump = await withProvisioningHeld(place, async (provisioning) => {
    const unresolved = await addUnresolved(place);
    const sql = await dumpDatabase({ programs: String(values.programs), dataDir: service.dataDir });
    return {
      sql,
      trials: { ...purchases, active: { ...purchases.active, ...trialImprint }, provisioning, ...unresolved },
    };
  });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "database.sql.gz"), dump.sql);
  const expected = { version, baseUrl: BASE_URL, secrets: SECRETS, payTo: sandbox.variables, ...filled };
  const text = JSON.stringify({ ...expected, trials: dump.trials }, undefined, 1);
  fs.writeFileSync(path.join(folder, "expected.json"), `${text}\n`);
  say(
    `${(dump.sql.length / 1e6).toFixed(1)} MB of database and ${(text.length / 1e3).toFixed(0)} kB of answers in ${folder}`,
  );
  return 0;
}

process.once("SIGINT", () => void stop(130));
process.once("SIGTERM", () => void stop(0));
main().then(stop, async (error) => {
  say(`FAILED  ${error instanceof Error ? error.stack : error}`);
  await stop(1);
});
