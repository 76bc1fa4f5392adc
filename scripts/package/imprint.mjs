import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { refuseSecondStart, resolvePort } from "../start/checks.mjs";
import { refuseSmallHeap } from "../start/heap.mjs";
import { refuseOldNode } from "../start/node-version.mjs";
import { setting } from "../start/setting.mjs";

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** @param {string} file @returns {unknown} */
const readJson = (file) => JSON.parse(fs.readFileSync(path.join(ROOT, file), "utf8"));

/** `build` is the folder of the build's parts; empty for this one. */
const { version, build } = /** @type {{ version: string, build: string }} */ (readJson("package.json"));

const HELP = `Usage: imprint COMMAND

  start         migrates and serves; SIGTERM and Ctrl-C stop it in order
  admin …       manages the installation, also while it runs; admin --help lists the commands
  ready         exit status 0 when the service at PORT of this machine can serve, 1 when it cannot
  ip-update     fetches lists of addresses; ip-update --help says which

  --version     ${version}
  --help        this text

It is configured by environment variables, see docs/operations.md. DATA_DIR, with the database and the secrets, must be
outside ${ROOT}.`;

/** Settings that contain a path, relative to the caller's working directory rather than to this package. */
const PATHS = [
  ...["BACKUP_DIR", "PG_BIN_DIR", "AGENT_KEYS_FILE", "INIT_API_KEY_FILE"],
  ...["IP_CITY_DB", "IP_ASN_DB", "IP_ANONYMOUS_DB"],
];

/** Settings that list URLs and paths, separated by blanks. */
const LISTS = ["IP_TOR_LIST_URL", "IP_RELAY_LIST_URL", "IP_VPN_LIST_URL", "IP_CLOUD_LIST_URL"];

/** @param {string} caller @param {string} entry @returns {string} */
const resolveEntry = (caller, entry) => (entry === "none" || URL.canParse(entry) ? entry : path.resolve(caller, entry));

/** @param {string} folder @returns {string} the path without links, of which the end may not exist yet */
function withoutLinks(folder) {
  const parent = path.dirname(folder);
  if (fs.existsSync(folder) || parent === folder) return fs.realpathSync(folder);
  return path.join(withoutLinks(parent), path.basename(folder));
}

/** The package may be reached through a link, which the next version changes. @param {string} folder */
const isInside = (folder) => `${withoutLinks(folder)}${path.sep}`.startsWith(`${ROOT}${path.sep}`);

/** Changes to the package folder, as the service expects, and ensures that it does not write there. */
function prepare() {
  const caller = process.cwd();
  const dataDir = path.resolve(caller, setting("DATA_DIR") || ".data");
  process.env["DATA_DIR"] = dataDir;
  for (const name of PATHS) {
    const given = setting(name);
    if (given !== "") process.env[name] = path.resolve(caller, given);
  }
  for (const name of LISTS) {
    const entries = process.env[name]?.split(/\s+/).filter((entry) => entry !== "");
    if (entries) process.env[name] = entries.map((entry) => resolveEntry(caller, entry)).join(" ");
  }
  if (isInside(dataDir))
    throw new Error(
      `DATA_DIR would be ${dataDir}, inside this package, which the next version replaces. Choose a folder outside: DATA_DIR=/var/lib/imprint imprint start`,
    );
  if (build === "") delete process.env["IMPRINT_BUILD_DIR"];
  else process.env["IMPRINT_BUILD_DIR"] = build;
  Object.assign(process.env, {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    INIT_CWD: caller,
    IMPRINT_ADMIN: "imprint admin",
  });
  process.chdir(ROOT);
}

/** @param {string} name @returns {Promise<void>} */
const run = (name) => import(pathToFileURL(path.join(ROOT, build, "dist", name)).href);

/** For container health checks: the images have no other HTTP client. */
async function ready() {
  const host = setting("HOST") || "localhost";
  const reached = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  const url = `http://${reached.includes(":") ? `[${reached}]` : reached}:${setting("PORT") || 3000}/readyz`;
  const response = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
  console.log((await response?.text()) ?? `${url} does not answer`);
  process.exitCode = response?.ok ? 0 : 1;
}

/** @type {Partial<Record<string, () => Promise<void>>>} */
const COMMANDS = {
  async start() {
    refuseSmallHeap();
    prepare();
    refuseSecondStart();
    await resolvePort();
    await run("server.mjs");
  },
  admin: () => runTool("admin.mjs"),
  ready,
  "ip-update": () => runTool("ip-update.mjs"),
};

/**
 * Stdout is reserved for the command's result: with --json it is one object that scripts parse.
 *
 * @param {string} name
 */
function runTool(name) {
  prepare();
  if (setting("LOG_LEVEL") === "") process.env["LOG_LEVEL"] = "error";
  return run(name);
}

async function main() {
  refuseOldNode();
  const [command = ""] = process.argv.splice(2, 1);
  const asksForHelp = command === "--help" || (command === "start" && process.argv.includes("--help"));
  const run = asksForHelp || !Object.hasOwn(COMMANDS, command) ? undefined : COMMANDS[command];
  if (asksForHelp) console.log(HELP);
  else if (command === "--version") console.log(version);
  else if (run !== undefined) await run();
  else {
    console.error(command === "" ? HELP : `imprint has no command "${command}".\n\n${HELP}`);
    process.exitCode = 2;
  }
}

main().catch((/** @type {unknown} */ error) => {
  const message = error instanceof Error ? error.message : String(error);
  const isJson = process.argv.includes("--json");
  console.error(isJson ? JSON.stringify({ error: { code: "service_unavailable", message } }) : message);
  process.exit(1);
});
