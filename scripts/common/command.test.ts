import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(path.join(tmpdir(), "imprint-command-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

type Call = { options?: string; args?: readonly string[] };

/** Runs a command whose clean-up writes a file; returns its exit code, its output, and whether it cleaned up. */
async function runWith(body: string, { options = "{}", args = [] }: Call = {}) {
  const [program, mark] = [path.join(folder, "program.mjs"), path.join(folder, "mark")];
  const contents = `
    import { writeFileSync } from "node:fs";
    import { runCommand, withCleanUp } from "./scripts/common/command";
    await runCommand({ name: "example", about: "", options: ${options}, run: (values, cleanUp) => {
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
  const ended = await new Promise<{ code: unknown; printed: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, printed: stdout + stderr });
    });
  });
  return { ...ended, mark: existsSync(mark) ? readFileSync(mark, "utf8") : undefined };
}

test.each([
  ["succeeds", "return 0;", 0],
  ["fails", "throw new Error('no');", 1],
  [
    "throws in a callback",
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
  expect(await runWith(body)).toMatchObject({ code, mark: "cleaned up" });
});

test.each([
  ["ends", "return;", 0],
  [
    "is stopped by a signal",
    "process.kill(process.pid, 'SIGTERM'); return new Promise(() => setTimeout(() => {}, 60_000));",
    143,
  ],
])("what a part of a command has started is stopped once, before the rest, when it %s", async (_how, body, code) => {
  const { printed, ...run } = await runWith(`
    cleanUp.push(() => console.log("rest"));
    return withCleanUp(cleanUp, async (own) => {
      own.push(() => console.log("first"), () => console.log("second"));
      ${body}
    }).then(() => 0);`);
  expect(run).toEqual({ code, mark: "cleaned up" });
  expect(printed).toBe("second\nfirst\nrest\n");
});

const NUMBERS = `{
  visits: { type: "number", default: 1_000, min: 10, about: "" },
  only: { type: "number", about: "" },
  sizes: { type: "numbers", default: "1,20", about: "" },
}`;

test.each([
  [[], 0, '{"visits":1000,"sizes":[1,20]}'],
  [["--visits", "10", "--only=3", "--sizes=7"], 0, '{"visits":10,"only":3,"sizes":[7]}'],
  [["--visits", "9"], 1, "--visits must be a whole number, at least 10."],
  [["--sizes", "1,x"], 1, "--sizes must be a whole number, at least 1."],
])("the options %s accept only whole numbers from their minimum on", async (args, code, printed) => {
  const run = await runWith("console.log(JSON.stringify(values)); return 0;", { options: NUMBERS, args });
  expect({ ...run, printed: run.printed.trim() }).toMatchObject({ code, printed });
});
