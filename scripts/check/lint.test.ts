import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { runQuietly } from "../build/pages.mjs";
import { ROOT } from "../build/layout.mjs";
import { lint, lintKeys, type BuildInfo } from "./lint.mjs";

/** A program in a folder of its own: `a` imports `b`, `b` imports `c`; `alone` imports nothing. */
function openProgram() {
  const folder = mkdtempSync(join(tmpdir(), "imprint-lint-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const write = (file: string, text: string) => {
    writeFileSync(join(folder, file), text);
  };
  const buildInfo = join(folder, "types.tsbuildinfo");
  write("tsconfig.json", '{ "compilerOptions": { "types": [], "strict": true }, "include": ["*.ts"] }');
  write("a.ts", 'import { b } from "./b";\nexport const a = b();\n');
  write("b.ts", 'import { c } from "./c";\nexport const b = () => c;\n');
  write("c.ts", "export const c = 1;\n");
  write("alone.ts", "export const alone = 1;\n");
  const tsc = join(ROOT, "node_modules/typescript-7/bin/tsc");
  const compile = () =>
    runQuietly(process.execPath, [tsc, "-p", folder, "--noEmit", "--incremental", "--tsBuildInfoFile", buildInfo]);
  const keys = async (salt = "") => {
    await compile();
    const program = JSON.parse(readFileSync(buildInfo, "utf8")) as BuildInfo;
    return lintKeys(program, { folder, root: folder, salt });
  };
  return { folder, write, keys };
}

const changedBetween = (before: Map<string, string>, after: Map<string, string>) =>
  [...after].flatMap(([file, key]) => (before.get(file) === key ? [] : [file])).sort();

test("a file is linted again when it, or a file that it imports directly or not, has changed", async () => {
  const { write, keys } = openProgram();
  const before = await keys();
  expect([...before.keys()].sort()).toEqual(["a.ts", "alone.ts", "b.ts", "c.ts"]);
  expect(changedBetween(before, await keys())).toEqual([]);

  write("c.ts", "export const c = Promise.resolve(1);\n");
  const withPromise = await keys();
  expect(changedBetween(before, withPromise)).toEqual(["a.ts", "b.ts", "c.ts"]);

  write("a.ts", "export const a = 2;\n");
  expect(changedBetween(withPromise, await keys())).toEqual(["a.ts"]);
});

test("every file is linted again when a rule, the installation or a type that all files see has changed", async () => {
  const { write, keys } = openProgram();
  const before = await keys();
  expect(changedBetween(before, await keys("other rules"))).toHaveLength(4);
  write("global.d.ts", "declare const everywhere: number;\n");
  expect(changedBetween(before, await keys())).toEqual(["a.ts", "alone.ts", "b.ts", "c.ts", "global.d.ts"]);
});

test("files with findings, and all that a linter without a summary may not have read, are linted again", async () => {
  const { folder, keys } = openProgram();
  await keys();
  const [a, b, alone] = ["a.ts", "b.ts", "alone.ts"].map((file) => relative(ROOT, join(folder, file)));
  const linted = async (findings?: string) => {
    const paths: string[] = [];
    const oxlint = (args: string[]) => {
      if (args.includes("--debug=files")) return Promise.resolve([a, b, alone, ""].join("\n"));
      const named = args.filter((arg) => arg.endsWith(".ts"));
      paths.push(...(named.length === 0 ? ["all"] : named));
      return findings === undefined ? Promise.resolve("") : Promise.reject(new Error(findings));
    };
    const buildInfo = join(folder, "types.tsbuildinfo");
    const result = lint({ cache: join(folder, "lint.json"), buildInfo, fix: false, oxlint });
    await (findings === undefined ? result : expect(result).rejects.toThrow(findings));
    return paths;
  };
  expect(await linted("killed")).toEqual(["all"]);
  expect(await linted(`${b}\n  1:1  error  Unused\n\n1 problem (1 error, 0 warnings)`)).toEqual(["all"]);
  expect(await linted(`${b}\n  1:1  error  Unused\n\n1 problem (1 error, 0 warnings)`)).toEqual([b]);
  expect(await linted()).toEqual([b]);
  expect(await linted()).toEqual([]);
});
