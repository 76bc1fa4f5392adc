import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";

import { sourceFrame } from "./source-frames";

const folder = mkdtempSync(join(tmpdir(), "imprint-frames-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The stack of an error thrown by a bundle of two files. */
async function stackOfBundle(): Promise<string[]> {
  writeFileSync(join(folder, "deep.ts"), "// a\n// b\nexport function deep(): never {\n  throw new Error('x');\n}\n");
  const entry = join(folder, "entry.ts");
  writeFileSync(
    entry,
    "import { deep } from './deep';\ntry { deep(); } catch (e) { console.log((e as Error).stack); }\n",
  );
  const outfile = join(folder, "out", "bundle.mjs");
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", sourcemap: "linked", logLevel: "silent" });
  return execFileSync(process.execPath, [outfile], { encoding: "utf8" }).split("\n").slice(1);
}

test("a frame of a bundle names file, line and column of the source, as a path or as a file URL", async () => {
  const [deep = "", entry = ""] = await stackOfBundle();
  expect(deep).toContain("bundle.mjs:");
  expect(sourceFrame(deep)).toMatch(/^ {4}at deep \(.*deep\.ts:4:9\)$/);
  expect(sourceFrame(entry)).toMatch(/at .*entry\.ts:2:7\)?$/);
  const asPath = deep.replace(pathToFileURL(`${folder}/`).href, `${folder}/`);
  expect(sourceFrame(asPath)).toBe(sourceFrame(deep));
});

test.each([
  "    at processTicksAndRejections (node:internal/process/task_queues:95:5)",
  "    at Socket.<anonymous> (/srv/imprint/node_modules/postgres/src/connection.js:1:2)",
  "    at nobody (/nowhere/gone.js:12:3)",
  "    at new Promise (<anonymous>)",
])("%s is unchanged", (frame) => {
  expect(sourceFrame(frame)).toBe(frame);
});

test("a corrupt source map leaves the frame unchanged", () => {
  const file = join(folder, "damaged.js");
  writeFileSync(`${file}.map`, "{");
  expect(sourceFrame(`    at f (${file}:1:1)`)).toBe(`    at f (${file}:1:1)`);
});
