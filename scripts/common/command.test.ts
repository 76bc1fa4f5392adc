import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(path.join(tmpdir(), "imprint-command-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a command whose clean-up writes a file; its exit code, and whether it cleaned up. */
async function runWith(body: string) {
  const [program, mark] = [path.join(folder, "program.mjs"), path.join(folder, "mark")];
  const contents = `
    import { writeFileSync } from "node:fs";
    import { runCommand } from "./scripts/common/command";
    await runCommand({ name: "example", about: "", options: {}, run: (_, cleanUp) => {
      cleanUp.push(() => writeFileSync(${JSON.stringify(mark)}, "cleaned up"));
      ${body}
    } });`;
  await build({
    stdin: { contents, resolveDir: path.join(import.meta.dirname, "../.."), loader: "ts" },
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  rmSync(mark, { force: true });
  const code = await new Promise((resolve) => {
    execFile(process.execPath, [program], (error) => {
      resolve(error?.code ?? 0);
    });
  });
  return { code, mark: readFileSync(mark, "utf8") };
}

test.each([
  ["succeeds", "return 0;", 0],
  ["fails", "throw new Error('no');", 1],
  [
    "fails where nothing awaits it",
    "setTimeout(() => { throw new Error('no'); }, 1); return new Promise(() => setTimeout(() => {}, 60_000));",
    1,
  ],
  [
    "leaves a rejection unhandled",
    "void Promise.reject(new Error('no')); return new Promise(() => setTimeout(() => {}, 60_000));",
    1,
  ],
  [
    "is stopped by a signal",
    "process.kill(process.pid, 'SIGTERM'); return new Promise(() => setTimeout(() => {}, 60_000));",
    143,
  ],
])("a command that %s stops what it started", async (_how, body, code) => {
  expect(await runWith(body)).toEqual({ code, mark: "cleaned up" });
});
