import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { afterAll, expect, test } from "vitest";

import { makeDataDir, removeDataDir, ROOT, startService, statusOf, stopService } from "./service";

const dataDir = makeDataDir();
afterAll(() => {
  removeDataDir(dataDir);
});

test("a service whose output is no longer read keeps serving, and stops gracefully", async () => {
  const service = await startService({ dataDir, environment: { LOG_ACCESS: "true", LOG_LEVEL: "info" } });
  service.root.stdout?.destroy();
  service.root.stderr?.destroy();
  for (let request = 0; request < 3; request += 1) expect(await statusOf(`${service.url}/readyz`)).toBe(200);
  // The service prints that it is stopping.
  expect(await stopService(service)).toBe(0);
});

test("a command whose output is closed fails silently, and stops the database that it started", async () => {
  const child = spawn(process.execPath, ["scripts/admin.mjs", "workspace", "list"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", IMPRINT_BUILD_DIR: ".test", DATA_DIR: dataDir },
  });
  child.stdout.destroy();
  const ended = new Promise<number | null>((done) => child.once("close", done));
  expect(await text(child.stderr)).toBe("");
  expect(await ended).toBe(1);
  expect(existsSync(join(dataDir, "postgres/data/postmaster.pid"))).toBe(false);
});

test("a command whose output file could take only a part of the result fails, and says so", async () => {
  const file = join(dataDir, "help.txt");
  const limited = 'ulimit -f 1; exec "$0" scripts/admin.mjs --help > "$1"';
  const child = spawn("sh", ["-c", limited, process.execPath, file], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, NODE_ENV: "production", IMPRINT_BUILD_DIR: ".test", DATA_DIR: dataDir },
  });
  const ended = new Promise<number | null>((done) => child.once("close", done));
  expect(await text(child.stderr)).toContain("The result could not be written: EFBIG");
  expect(await ended).toBe(1);
  expect(statSync(file).size).toBe(512);
});
