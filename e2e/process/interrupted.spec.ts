import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { afterAll, expect, test } from "vitest";

import { makeDataDir, removeDataDir, ROOT } from "./service";

const folder = makeDataDir();
afterAll(() => {
  removeDataDir(folder);
});

const INTERRUPTED = "Interrupted. Migrations are applied together or not at all. Run the command again.";
const POLLING = { timeout: 30_000, interval: 2 };

/** Starts the command that creates the database, in a process group of its own. */
function migrate(dataDir: string) {
  const child = spawn(process.execPath, ["scripts/admin.mjs", "migrate", "--json"], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", IMPRINT_BUILD_DIR: ".test", DATA_DIR: dataDir },
  });
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  const ended = Promise.all([text(child.stdout), text(child.stderr), code]);
  /** A shell sends Ctrl-C to the whole group, and npm sends SIGTERM once more. */
  const signalTwice = (signal: NodeJS.Signals) => {
    process.kill(-Number(child.pid), signal);
    child.kill(signal);
  };
  return { ended, signalTwice };
}

test.each([
  ["while its files are created", "SIGINT", "postgres/data.new"],
  ["while its files are created, by a service manager", "SIGTERM", "postgres/data.new"],
  ["while it starts", "SIGINT", "postgres/data/postmaster.pid"],
] as const)(
  "a command interrupted %s stops the database, says so in one object, and can be repeated",
  async (...row) => {
    const [moment, signal, file] = row;
    const dataDir = join(folder, moment.replaceAll(/\W/g, "-"));
    const command = migrate(dataDir);
    await expect.poll(() => existsSync(join(dataDir, file)), POLLING).toBe(true);
    command.signalTwice(signal);
    const [stdout, stderr, code] = await command.ended;
    expect({ stdout, code }).toEqual({ stdout: "", code: 130 });
    expect(JSON.parse(stderr)).toEqual({ error: { code: "service_unavailable", message: INTERRUPTED } });
    for (const left of ["data.new", "data/postmaster.pid", "password"])
      expect(existsSync(join(dataDir, "postgres", left)), left).toBe(false);
    const [, , again] = await migrate(dataDir).ended;
    expect(again).toBe(0);
  },
);
