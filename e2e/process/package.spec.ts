import { execFile, spawn } from "node:child_process";
import { chownSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

import { isRoot, unprivilegedAccount } from "@/db/embedded-account";
import { version } from "@/package.json";
import { claimPort } from "@/scripts/common/processes";
import { readReport, visit } from "../service";
import { makeDataDir, removeDataDir, ROOT, statusOf } from "./service";

const run = promisify(execFile);

type Package = {
  file: string;
  unpacked_bytes: number;
  node: boolean;
  parts: { name: string; bytes: number }[];
};

const folder = makeDataDir();
let made: Package;
let top: string;
let port: number;

/** The user that the service runs as, who owns nothing except its data. */
const user = isRoot() ? unprivilegedAccount() : undefined;

/** Environment with only what the package may use: no npm, no build, no test settings. */
const environment = (): NodeJS.ProcessEnv => ({
  NODE_ENV: "production",
  PATH: process.env["PATH"] ?? "",
  DATA_DIR: "data",
  PORT: String(port),
  LOG_LEVEL: "warn",
  // A warning about a slow page is not a defect of the package.
  LOG_SLOW_MS: "600000",
});

function startImprint(args: readonly string[], variables: Record<string, string> = {}) {
  const child = spawn(join(top, "bin/imprint"), args, {
    ...user,
    cwd: folder,
    env: { ...environment(), ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const output = Promise.all([text(child.stdout), text(child.stderr), ended]).then(([stdout, stderr, code]) => ({
    stdout,
    stderr,
    code,
  }));
  return { child, output };
}

const runImprint = (args: readonly string[], variables?: Record<string, string>) =>
  startImprint(args, variables).output;

async function runAdmin(...args: string[]): Promise<Record<string, string>> {
  const { stdout, stderr, code } = await runImprint(["admin", ...args, "--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, string>;
}

/** Modification time and mode of every file in the package. */
const stateOf = (at: string) =>
  readdirSync(at, { recursive: true, encoding: "utf8" })
    .map((name) => [name, lstatSync(join(at, name))] as const)
    .map(([name, { mtimeMs, mode, size }]) => `${name} ${mtimeMs} ${mode} ${size}`)
    .sort();

beforeAll(async () => {
  port = await claimPort();
  const { stdout } = await run("npm", ["run", "-s", "package", "--", "--to", folder, "--fast", "--json"], {
    cwd: ROOT,
    env: { ...process.env, IMPRINT_BUILD_DIR: ".test" },
  });
  made = JSON.parse(stdout) as Package;
  await run("sha256sum", ["--check", "--quiet", `${made.file}.sha256`], { cwd: folder });
  await run("tar", ["-xzpf", made.file, "-C", folder]);
  top = join(folder, `imprint-${version}-${process.platform}-${process.arch}`);
  await run("chmod", ["-R", "a-w", top]);
  mkdirSync(join(folder, "data"));
  if (user) chownSync(join(folder, "data"), user.uid, user.gid);
}, 180_000);
afterAll(async () => {
  await run("chmod", ["-R", "u+w", top]);
  removeDataDir(folder);
});

test("the package has everything needed at run time and nothing of the build machine, in under 250 MB", async () => {
  expect(made.unpacked_bytes).toBeLessThan(250e6);
  expect(made.node).toBe(false);
  expect(made.parts[0]?.bytes).toBeGreaterThan(10e6);
  const { stdout } = await run("grep", ["-rlF", ROOT, top]).catch(() => ({ stdout: "" }));
  expect(stdout).toBe("");
  const packages = readdirSync(join(top, "node_modules"));
  expect(packages).toContain("next");
  for (const absent of ["typescript", "esbuild", "@img", "playwright-core", "vitest", "@ip-location-db"])
    expect(packages).not.toContain(absent);
});

test("read-only and as a dedicated user, it serves pages, visits and Reports, and exits with 0", async () => {
  const before = stateOf(top);
  // HOME does not exist: nothing may be written outside the data folder.
  const service = startImprint(["start"], { HOME: "/nonexistent" });
  const url = `http://localhost:${port}`;
  await expect.poll(() => statusOf(`${url}/readyz`), { timeout: 60_000, interval: 100 }).toBe(200);
  for (const page of ["/", "/sign-in", "/docs/quickstart", "/v1/imprint.js", "/openapi.json", "/world.svg"])
    expect(await statusOf(url + page), page).toBe(200);
  const { workspace_id = "" } = await runAdmin("workspace", "create", "--name", "Acme");
  const origin = "https://shop.example";
  const app = await runAdmin("web-app", "create", "--workspace", workspace_id, "--name", "Shop", "--origin", origin);
  const site = { workspaceId: workspace_id, webAppId: "", environmentId: "", apiKey: "", origin };
  const imprint = await visit(url, { ...site, environmentId: app["environment_id"] ?? "" });
  const report = await readReport(url, app["api_key"] ?? "", imprint);
  expect(await report.json()).toMatchObject({ imprint });
  expect(await runImprint(["ready"])).toMatchObject({ code: 0, stderr: "" });
  const { stdout, code } = await runImprint(["admin", "doctor", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ healthy: true });
  expect(code).toBe(3);
  service.child.kill("SIGTERM");
  const { stdout: lines, stderr, code: last } = await service.output;
  expect([last, stderr]).toEqual([0, ""]);
  expect(lines).toContain("requests in flight are answered first");
  expect(stateOf(top)).toEqual(before);
  expect(await runImprint(["ready"])).toMatchObject({ code: 1, stdout: `${url}/readyz does not answer\n` });
});

test("its commands print usage, and refuse a data folder inside the package, which the next version replaces", async () => {
  expect(await runImprint(["--version"])).toEqual({ stdout: `${version}\n`, stderr: "", code: 0 });
  const help = await runImprint(["--help"]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  for (const command of ["start", "admin", "ip-update"]) expect(help.stdout).toContain(`\n  ${command}`);
  for (const command of ["serve", "toString"]) {
    const unknown = await runImprint([command]);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toContain(`imprint has no command "${command}"`);
  }
  const adminHelp = await runImprint(["admin", "--help"]);
  expect(adminHelp.code).toBe(0);
  expect(adminHelp.stdout).toContain("Usage: imprint admin ");
  expect(await runImprint(["admin", "workspace", "create"])).toMatchObject({ code: 2, stdout: "" });
  const inside = await runImprint(["start"], { DATA_DIR: join(top, "data") });
  expect(inside).toMatchObject({ code: 1, stdout: "" });
  expect(inside.stderr).toContain("inside this package, which the next version replaces");
});
