import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";

import { keepClosuresYoung, youngClosures } from "./young-closures.mjs";

const SOURCE = new URL("../../node_modules/postgres/src/query.js", import.meta.url);
/** A function literal assigned directly to a property. */
const ASSIGNED = /this\.\w+ = (\w+|\([^)]*\)) =>/g;

test("no query of the installed driver assigns a function literal to a property, except a cursor's", async () => {
  const source = await readFile(SOURCE, "utf8");
  expect(source.match(ASSIGNED)).toHaveLength(5);
  expect(keepClosuresYoung(source).match(ASSIGNED)).toEqual(["this.cursorFn = value =>", "this.resolve = () =>"]);
});

test("a query of the bundled driver still becomes inactive when it resolves or rejects", async () => {
  const folder = mkdtempSync(join(tmpdir(), "imprint-driver-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const outfile = join(folder, "query.mjs");
  const entryPoints = [fileURLToPath(SOURCE)];
  await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", plugins: [youngClosures] });
  type Ended = { active: boolean; resolve: (value: unknown) => void; reject: (error: unknown) => void };
  type Made = Promise<unknown> & { active: boolean };
  const { Query } = (await import(pathToFileURL(outfile).href)) as {
    Query: new (strings: string[], args: unknown[], handler: (query: Ended) => void) => Made;
  };
  const sent = (end: (query: Ended) => void) =>
    new Query(["select 1"], [], (query) => {
      query.active = true;
      end(query);
    });
  const done = sent((query) => {
    query.resolve("row");
  });
  const failed = sent((query) => {
    query.reject(new Error("no"));
  });
  expect(await done).toBe("row");
  await expect(failed).rejects.toThrow("no");
  expect([done.active, failed.active]).toEqual([false, false]);
});

test("a driver with different query code fails the build", () => {
  expect(() => keepClosuresYoung("this.resolve = resolve")).toThrow("query.js of postgres assigns 0 of 3 functions");
});
