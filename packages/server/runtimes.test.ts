import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { EdgeVM } from "@edge-runtime/vm";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

import { installServerPackage } from "@/scripts/server-package/install.mjs";
import { API_KEY, type FakeService, IMPRINT, ORIGIN, replyReport, startFakeService } from "./testing";

const run = promisify(execFile);
const programOf = (name: string) => join(import.meta.dirname, "../../node_modules/.bin", name);

let folder: string;
let service: FakeService;
let calls = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "imprint-runtimes-"));
  await installServerPackage(folder);
  await writeFile(join(folder, "package.json"), "{}");
  // The first answer to each acceptance id is a fault: the retry is a part of what is tried.
  service = await startFakeService(() => (calls++ % 2 === 0 ? { status: 503 } : replyReport()));
});
afterAll(() => Promise.all([service.close(), rm(folder, { recursive: true })]));

/** What a site's server does, in nothing but the language; the answer comes as text. */
const useOf = (url: string) => `
const imprint = createImprintServer({ endpoint: ${JSON.stringify(url)}, apiKey: "${API_KEY}", timeoutMs: 10000 });
const expected = { surface: "sign-in", origin: "${ORIGIN}", address: "203.0.113.7" };
const visit = await imprint.acceptImprint("${IMPRINT}", expected);
const away = createImprintServer({ endpoint: "http://127.0.0.1:1", apiKey: "${API_KEY}", timeoutMs: 500 });
const { reason } = await away.acceptImprint("${IMPRINT}", expected);
const text = [visit.accepted, visit.report?.device.id, reason].join(" ");`;

const EXPECTED = "true dev_1 unavailable";

test.each<[string, string, string[]]>([
  ["Node", process.execPath, ["main.mjs"]],
  // No right but the network: it reads no file, no environment and nothing of the system.
  ["Deno", programOf("deno"), ["run", "--quiet", "--no-prompt", "--cached-only", "--allow-net=127.0.0.1", "main.mjs"]],
  ["Bun", programOf("bun"), ["--no-install", "main.mjs"]],
])("it works in %s as it was unpacked", async (_, program, args) => {
  await writeFile(
    join(folder, "main.mjs"),
    `import { createImprintServer } from "imprint-server";${useOf(service.url)}\nconsole.log(text);`,
  );
  const options = { cwd: folder, env: { ...process.env, HOME: folder, NO_COLOR: "1" } };
  expect((await run(program, args, options)).stdout.trim()).toBe(EXPECTED);
});

test("it works in an edge runtime, which has fetch and Web Crypto and nothing of Node", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createImprintServer } from "imprint-server";
        globalThis.answer = (async () => {${useOf(service.url)} return text; })();`,
      resolveDir: folder,
    },
    bundle: true,
    write: false,
    format: "iife",
    conditions: ["edge-light", "import"],
    platform: "neutral",
  });
  const runtime = new EdgeVM();
  expect(runtime.evaluate<string>("[typeof process, typeof Buffer, typeof require].join()")).toBe(
    "undefined,undefined,undefined",
  );
  runtime.evaluate(outputFiles[0]?.text ?? "");
  expect(await runtime.evaluate<Promise<string>>("answer")).toBe(EXPECTED);
});
