import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { expect, onTestFinished, test, vi } from "vitest";

import { listenOnUnixSocket } from "./unix-socket";

function makePath(): { folder: string; path: string } {
  const folder = mkdtempSync(join(tmpdir(), "imprint-socket-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, path: join(folder, "socket") };
}

const ask = (path: string) => text(connect(path));

/** Check interval for tests. */
async function open(path: string, answer: string) {
  const listening = await listenOnUnixSocket(path, (connection) => connection.end(answer), 20);
  onTestFinished(listening.close);
  return listening;
}

test("a socket whose directory was removed is recreated, accessible only to its user", async () => {
  const { folder, path } = makePath();
  await open(path, "answered");
  expect(await ask(path)).toBe("answered");

  rmSync(folder, { recursive: true });

  await vi.waitFor(async () => {
    expect(await ask(path)).toBe("answered");
  });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a successor takes over the path, and its predecessor neither reclaims nor removes it", async () => {
  const { path } = makePath();
  const old = await open(path, "old");
  const next = await open(path, "next");
  expect(await ask(path)).toBe("next");
  old.close();
  expect(await ask(path)).toBe("next");
  next.close();
});

test("a closed socket is not recreated", async () => {
  const { folder, path } = makePath();
  const listening = await open(path, "answered");
  listening.close();
  rmSync(folder, { recursive: true });
  await open(join(folder, "other"), "other");
  expect(await ask(join(folder, "other"))).toBe("other");
  expect(existsSync(path)).toBe(false);
});
