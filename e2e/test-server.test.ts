import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { offerDatabase, openRunFolder } from "./test-server";

test("no database is started before a test file requests one, all share it, and it is stopped with the run", async () => {
  const calls: string[] = [];
  const { address, close } = await offerDatabase(() => {
    calls.push("start");
    const stop = () => Promise.resolve(void calls.push("stop"));
    return Promise.resolve({ url: "postgres://admin", serviceUrl: "postgres://service", stop });
  });
  expect(calls).toEqual([]);
  const answers = await Promise.all(Array.from({ length: 8 }, async () => (await fetch(address)).text()));
  expect(new Set(answers)).toEqual(new Set(['{"url":"postgres://admin","serviceUrl":"postgres://service"}']));
  expect((await fetch(new URL("/", address))).status).toBe(404);
  expect(calls).toEqual(["start"]);
  await close();
  expect(calls).toEqual(["start", "stop"]);
});

test("a run that requests no database starts and stops none", async () => {
  const { close } = await offerDatabase(() => Promise.reject(new Error("was started")));
  await close();
});

test("everyone who requests a database that cannot start gets the reason", async () => {
  const { address, close } = await offerDatabase(() => Promise.reject(new Error("no room on the disk")));
  for (const response of [await fetch(address), await fetch(address)]) {
    expect(response.status).toBe(500);
    expect(await response.text()).toContain("no room on the disk");
  }
  await close();
});

test("what a run leaves in the temporary folder is removed with it", () => {
  const ofThisRun = tmpdir();
  expect([basename(ofThisRun), existsSync(join(ofThisRun, "owner"))]).toEqual([
    expect.stringMatching(/^imprint-run-/) as string,
    true,
  ]);
  const parent = mkdtempSync(join(ofThisRun, "parent-"));
  onTestFinished(() => {
    process.env["TMPDIR"] = ofThisRun;
    rmSync(parent, { recursive: true });
  });
  const { close } = openRunFolder(parent);
  writeFileSync(join(mkdtempSync(join(tmpdir(), "org.chromium.")), "lock"), "");
  close();
  expect([readdirSync(parent), tmpdir()]).toEqual([[], parent]);
});
