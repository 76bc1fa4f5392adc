import fs, { existsSync, renameSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { copyDataDir, makeMovableDataDir, queryOnce, useStartedDataDir } from "@/test/data-dirs";
import { type EmbeddedServer, openEmbedded } from "./embedded";
import { postmasterOn } from "./embedded-processes";
import { isAlive } from "./processes.mjs";

let dataDir: string;
let moved: string;

const fill = useStartedDataDir();

beforeEach(() => {
  ({ dataDir, moved } = makeMovableDataDir());
});

type Opened = EmbeddedServer & { id: number };

async function open(folder = dataDir, onRestartFailed?: (error: unknown) => void): Promise<Opened> {
  const server = await openEmbedded({
    dataDir: folder,
    binDir: undefined,
    ...(onRestartFailed && { onRestartFailed }),
  });
  onTestFinished(async () => {
    await server.close();
  });
  const id = postmasterOn(join(server.folder, "data"));
  if (id === undefined) throw new Error("the server does not run");
  return { ...server, id };
}

async function openStarted(onRestartFailed?: (error: unknown) => void): Promise<Opened> {
  fill(dataDir);
  return await open(dataDir, onRestartFailed);
}

async function kill({ id }: Opened): Promise<void> {
  process.kill(id, "SIGKILL");
  await expect.poll(() => isAlive(id)).toBe(false);
}

/** Moves the data directory away and puts a copy in its place. */
function replaceByCopy(): void {
  renameSync(dataDir, moved);
  copyDataDir(moved, dataDir);
}

test("a copy at the path of a moved data directory gets a server of its own, and that of the original keeps running", async () => {
  const original = await openStarted();
  await queryOnce(original.url, "create table kept as select 'original' as place");
  replaceByCopy();
  const copy = await open();
  expect([copy.isAdopted, copy.id === original.id, copy.port === original.port]).toEqual([false, false, false]);
  await queryOnce(copy.url, "update kept set place = 'copy'");
  expect(await queryOnce(original.url, "select place from kept")).toEqual([{ place: "original" }]);
  expect(await copy.close()).toBe("stopped");
  expect(await queryOnce(original.url, "select place from kept")).toEqual([{ place: "original" }]);
});

test("the running server of a moved data directory is used at its new place", async () => {
  const original = await openStarted();
  renameSync(dataDir, moved);
  const again = await open(moved);
  expect([again.isAdopted, again.id]).toEqual([true, original.id]);
});

test("a server that died is neither restarted on a copy in its place, nor is the server of that copy stopped", async () => {
  const reasons: string[] = [];
  const original = await openStarted((error) => reasons.push(String(error)));
  replaceByCopy();
  await kill(original);
  await expect.poll(() => reasons[0], { timeout: 10_000 }).toContain(`${original.folder} was replaced while`);
  expect(postmasterOn(join(original.folder, "data"))).toBeUndefined();
  const copy = await open();
  expect(await original.close()).toBe("shared");
  expect(isAlive(copy.id)).toBe(true);
});

test("why a server whose files are gone is not restarted is told", async () => {
  const reasons: string[] = [];
  const server = await openStarted((error) => reasons.push(String(error)));
  renameSync(join(dataDir, "postgres"), moved);
  await kill(server);
  await expect.poll(() => reasons[0], { timeout: 10_000 }).toContain(`${server.folder} is gone`);
  expect(existsSync(server.folder)).toBe(false);
});

const fillDisk = () => {
  const full = vi.spyOn(fs, "writeFileSync").mockImplementation(() => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  });
  onTestFinished(() => {
    full.mockRestore();
  });
};

test("on a full disk, a running server can be used, so that a command can delete", async () => {
  const server = await openStarted();
  fillDisk();
  const second = await open();
  expect([second.isAdopted, second.id]).toEqual([true, server.id]);
  expect(await queryOnce(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(await second.close()).toBe("shared");
});

test("on a full disk, a start says that it is full and what to remove", async () => {
  fill(dataDir);
  fillDisk();
  await expect(open()).rejects.toThrow(
    `DATA_DIR ${dataDir} cannot be used: its disk is full (ENOSPC). Remove what does not belong to Imprint`,
  );
});
