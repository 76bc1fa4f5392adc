import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { findBinaries } from "@/db/embedded-binaries";
import {
  checkoutFor,
  processTree,
  makeDataDir,
  removeDataDir,
  runAdmin,
  startService,
  statusOf,
  stopService,
  userOf,
  usersOfPostgres,
} from "./service";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

/** Creates the programs and a data directory inside a folder that only its owner can enter. */
async function makeClosedFolder() {
  const closed = makeDataDir();
  const { folder } = await findBinaries(undefined);
  cpSync(dirname(folder), join(closed, "programs"), { recursive: true, verbatimSymlinks: true });
  mkdirSync(join(closed, "data"));
  chmodSync(closed, 0o700);
  return { closed, dataDir: join(closed, "data"), binDir: join(closed, "programs/bin") };
}

test("inside a folder that others cannot enter, the service starts, keeps its data, and never runs PostgreSQL as root", async () => {
  const { closed, dataDir, binDir } = await makeClosedFolder();
  const options = { dataDir, environment: { PG_BIN_DIR: binDir } };
  const service = await startService(options);
  const [, folder = ""] = /^Database\s+started, files in (.+)$/m.exec(service.output()) ?? [];
  expect(folder.startsWith(dataDir)).toBe(!isRoot);
  expect(existsSync(join(folder, "data/PG_VERSION"))).toBe(true);
  const users = usersOfPostgres(processTree(service.root.pid ?? 0));
  expect(users.length).toBeGreaterThan(0);
  expect(users).not.toContain("root");
  expect(await statusOf(`${service.url}/readyz`)).toBe(200);
  expect(await stopService(service)).toBe(0);

  const again = await startService(options);
  expect(again.output()).toContain(`files in ${folder}`);
  expect(await stopService(again)).toBe(0);
  rmSync(folder, { recursive: true });
  removeDataDir(closed);
});

test("an ordinary user can run the service with its own files", async () => {
  const dataDir = makeDataDir();
  if (isRoot) chownSync(dataDir, NOBODY, NOBODY);
  const checkout = isRoot ? checkoutFor({ uid: NOBODY, gid: NOBODY }) : undefined;
  const options = {
    dataDir,
    byNpm: true,
    ...(checkout ? { cwd: checkout.folder } : {}),
    environment: { HOME: dataDir, npm_config_cache: join(dataDir, "npm") },
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  };
  const service = await startService(options);
  expect(await statusOf(`${service.url}/readyz`)).toBe(200);
  expect(service.output()).toContain(`files in ${join(dataDir, "postgres")}`);
  const owner = userOf(service.root.pid ?? 0);
  expect(owner).not.toBe("root");
  expect(new Set(usersOfPostgres(processTree(service.root.pid ?? 0)))).toEqual(new Set([owner]));
  expect(readdirSync(dataDir)).toContain("secrets.json");
  const { code, stdout } = await runAdmin(["workspace", "create", "--name", "Acme"], options);
  expect({ code, isMade: stdout.includes('"workspace_id":"ws_') }).toEqual({ code: 0, isMade: true });
  expect(await statusOf(`${service.url}/readyz`)).toBe(200);
  expect(await stopService(service)).toBe(0);
  removeDataDir(dataDir);
  checkout?.remove();
});
