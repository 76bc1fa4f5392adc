import fs, { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, expect, test, vi } from "vitest";

import { makeMovableDataDir, useStartedDataDir } from "@/test/data-dirs";
import { type EmbeddedServer, openEmbedded } from "./embedded";
import { postmasterOn } from "./embedded-processes";
import { isAlive } from "./processes.mjs";

let dataDir: string;
let moved: string;

const fill = useStartedDataDir();

beforeEach(() => {
  ({ dataDir, moved } = makeMovableDataDir());
});

async function openPrepared({ without = "" } = {}): Promise<EmbeddedServer & { id: number }> {
  fill(dataDir);
  if (without !== "") rmSync(join(dataDir, without));
  const server = await openEmbedded({ dataDir, binDir: undefined });
  const id = postmasterOn(join(server.folder, "data"));
  if (id === undefined) throw new Error("the server does not run");
  return { ...server, id };
}

const isFolder = () => existsSync(dataDir) && statSync(dataDir).isDirectory();

test.each<[string, () => void]>([
  ["was removed", () => undefined],
  [
    "was replaced by an empty one",
    () => {
      mkdirSync(dataDir);
    },
  ],
  [
    "was replaced by a file",
    () => {
      writeFileSync(dataDir, "");
    },
  ],
])("the server is stopped although its data directory %s, which stays so", async (_name, replace) => {
  const server = await openPrepared();
  renameSync(dataDir, moved);
  replace();
  const before = isFolder();
  expect(await server.close()).toBe("stopped");
  expect(isAlive(server.id)).toBe(false);
  expect(isFolder()).toBe(before);
});

test("only its own server is stopped although another one runs in a new data directory of the same name", async () => {
  const server = await openPrepared();
  renameSync(dataDir, moved);
  mkdirSync(dataDir);
  // Its port and password would lead to the first server.
  const other = await openPrepared({ without: "conn.json" });
  expect(await server.close()).toBe("stopped");
  expect([isAlive(server.id), isAlive(other.id)]).toEqual([false, true]);
  expect(await other.close()).toBe("stopped");
});

test("the server is stopped although its files were deleted while it ran", async () => {
  const server = await openPrepared();
  rmSync(dataDir, { recursive: true, maxRetries: 5 });
  await server.close();
  await expect.poll(() => isAlive(server.id)).toBe(false);
  expect(existsSync(dataDir)).toBe(false);
});

test("the server is stopped although the lock for it cannot be written, as on a full disk", async () => {
  const server = await openPrepared();
  const full = vi.spyOn(fs, "writeFileSync").mockImplementation(() => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  });
  expect(
    await server.close().finally(() => {
      full.mockRestore();
    }),
  ).toBe("stopped");
  expect(isAlive(server.id)).toBe(false);
});

test("attempts to restart a server whose files are gone end with the close", { timeout: 60_000 }, async () => {
  const server = await openPrepared();
  renameSync(dataDir, moved);
  process.kill(server.id, "SIGKILL");
  await expect.poll(() => isAlive(server.id)).toBe(false);
  expect(await server.close()).toBe("shared");
  expect(existsSync(dataDir)).toBe(false);
});

test("a server that has already died does not block the close", async () => {
  const server = await openPrepared();
  process.kill(server.id, "SIGKILL");
  await expect.poll(() => isAlive(server.id)).toBe(false);
  expect(await server.close()).toBe("shared");
});
