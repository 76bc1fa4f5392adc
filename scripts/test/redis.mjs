import { execFile, execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const NAMES = ["redis-server", "valkey-server"];
const run = promisify(execFile);

const fromPath = () =>
  [...(process.env.PATH ?? "").split(path.delimiter), "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].flatMap(
    (folder) => NAMES.map((name) => path.join(folder, name)),
  );

/** @param {string} file */
async function works(file) {
  if (!fs.existsSync(file)) return false;
  try {
    await run(file, ["--version"], { timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

async function search() {
  for (const file of fromPath()) if (await works(file)) return file;
  return undefined;
}

const canInstall = () => process.getuid?.() === 0 && fs.existsSync("/etc/debian_version");

function install() {
  console.log("No Redis server was found: installing the package `redis-server`");
  const options = /** @type {const} */ ({ stdio: "ignore", timeout: 5 * 60_000 });
  execFileSync("apt-get", ["update"], options);
  execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "redis-server"], {
    ...options,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}

/**
 * The server for the tests of `REDIS_URL`: REDIS_SERVER, or Redis or Valkey of the system; on Debian as root the package
 * is installed. Never skipped silently.
 *
 * @throws Error that names the one command
 */
export async function findRedis() {
  const given = process.env.REDIS_SERVER;
  if (given) {
    if (await works(given)) return given;
    throw new Error(`REDIS_SERVER=${given} is not a Redis server that runs here.`);
  }
  const found = await search();
  if (found) return found;
  if (canInstall()) {
    try {
      install();
    } catch (error) {
      console.log(`apt-get failed: ${error instanceof Error ? error.message : error}`);
    }
    const installed = await search();
    if (installed) return installed;
  }
  const command = fs.existsSync("/etc/debian_version") ? "sudo apt-get install -y redis-server" : "brew install redis";
  throw new Error(`The tests of REDIS_URL need a Redis server. Install it with: ${command}   (or set REDIS_SERVER)`);
}
