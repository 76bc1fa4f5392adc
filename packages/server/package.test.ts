import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";

import { installServerPackage } from "@/scripts/server-package/install.mjs";
import { version } from "./version.json";

const run = promisify(execFile);

let folder: string;
let packed: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "imprint-server-"));
  packed = await installServerPackage(folder);
});
afterAll(() => rm(folder, { recursive: true }));

type Target = string | { [condition: string]: Target };
const filesOf = (target: Target): string[] =>
  typeof target === "string" ? [target] : Object.values(target).flatMap(filesOf);

const readManifest = async () =>
  JSON.parse(await readFile(join(folder, "node_modules/imprint-server/package.json"), "utf8")) as {
    name: string;
    version: string;
    exports: Record<string, Target>;
    dependencies?: object;
  };

test("the archive is a package without dependencies whose every export exists", async () => {
  const manifest = await readManifest();
  expect([manifest.name, manifest.version, manifest.dependencies]).toEqual(["imprint-server", version, undefined]);
  for (const file of filesOf(manifest.exports)) expect(packed).toContain(file.replace("./", ""));
});

const USE = `
const imprint = createImprintServer({ endpoint: "http://127.0.0.1:9", apiKey: "svc_live_x", retries: 0 });
imprint.acceptImprint(undefined, { surface: "sign-in", origin: "https://shop.example" }).then(({ reason }) => console.log(reason));`;

test.each([
  ["main.mjs", `import { createImprintServer } from "imprint-server";${USE}`],
  ["main.cjs", `const { createImprintServer } = require("imprint-server");${USE}`],
])("%s of a site loads it and uses it", async (name, source) => {
  await writeFile(join(folder, name), source);
  expect((await run(process.execPath, [join(folder, name)])).stdout.trim()).toBe("missing");
});

const CONSUMER = `
import { createImprintServer, isImprintServerError, type Acceptance, type Report } from "imprint-server";
const imprint = createImprintServer({ endpoint: new URL("https://imprint.example"), apiKey: "svc_live_x" });
export async function signIn(field: unknown): Promise<Report | undefined> {
  const visit: Acceptance = await imprint.acceptImprint(field, { surface: "sign-in", origin: ["https://a.example"] });
  if (!visit.accepted) {
    const reason: "missing" | "malformed" | "not_found" | "wrong_surface" | "wrong_origin" | "too_old" | "already_used" | "wrong_address" | "account_conflict" | "quota_exhausted" | "rate_limited" | "misconfigured" | "unavailable" = visit.reason;
    return reason === "too_old" ? visit.report : undefined;
  }
  const status: "PASS" | "SUSPICIOUS" | "DECEPTIVE" = visit.report.risk.status;
  return status === "PASS" ? visit.report : undefined;
}
export async function codeOf(id: string): Promise<string> {
  try {
    const { report, delivery } = await imprint.report(id, { accountRef: "42" });
    const { summary } = await imprint.history(id, { days: 7 });
    return \`\${report.device.id} \${delivery} \${summary.events}\`;
  } catch (error) {
    if (!isImprintServerError(error)) throw error;
    return error.code === "quota_exhausted" ? "upgrade" : error.code;
  }
}
// @ts-expect-error a surface is what makes an imprint one of this action
void imprint.acceptImprint("", { origin: "https://a.example" });
// @ts-expect-error there is no such code
export const isMade = (error: unknown) => isImprintServerError(error) && error.code === "made_up";
`;

/** Of `module` by `moduleResolution`, as a tsconfig.json spells them. */
const RESOLUTIONS = { node10: "commonjs", node16: "node16", nodenext: "nodenext", bundler: "esnext" };

const standardLibrary = new Map<string, ts.SourceFile | undefined>();

/** Reads the types of the language and of browsers once for all programs. */
function createProgram(names: string[], options: ts.CompilerOptions): ts.Program {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) => {
    if (!file.includes("/typescript/lib/")) return read(file, ...rest);
    const known = standardLibrary.get(file) ?? read(file, ...rest);
    standardLibrary.set(file, known);
    return known;
  };
  return ts.createProgram(names, options, host);
}

test.each(Object.entries(RESOLUTIONS))(
  "its types are found and fit under moduleResolution %s, in both formats",
  async (moduleResolution, module) => {
    const names = ["consumer.mts", "consumer.cts"].map((name) => join(folder, name));
    for (const name of names) await writeFile(name, CONSUMER);
    const { options, errors } = ts.convertCompilerOptionsFromJson(
      {
        ...{ module, moduleResolution, target: "es2022", ignoreDeprecations: "6.0", types: [] },
        ...{ strict: true, noEmit: true, exactOptionalPropertyTypes: true, skipDefaultLibCheck: true },
      },
      folder,
    );
    const diagnostics = [...errors, ...ts.getPreEmitDiagnostics(createProgram(names, options))];
    const found = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    expect(found).toEqual([]);
  },
);
