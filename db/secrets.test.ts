import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { build } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";

import { loadSecrets, type Secrets } from "./secrets";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "imprint-secrets-"));
});
afterEach(() => {
  rmSync(dataDir, { recursive: true });
});

const run = promisify(execFile);
const file = () => join(dataDir, "secrets.json");

test("secrets of 256 bits each are generated once, into a file only the owner can read", () => {
  const secrets = loadSecrets(dataDir, {});
  expect(Buffer.from(secrets.AUTH_SECRET, "base64url")).toHaveLength(32);
  for (const ring of [secrets.KEY_PEPPER, secrets.KEKS]) {
    const [kid, key] = ring.split(":");
    expect(kid).toBe("k1");
    expect(Buffer.from(key ?? "", "base64")).toHaveLength(32);
  }
  expect(new Set(Object.values(secrets)).size).toBe(3);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(loadSecrets(dataDir, {})).toEqual(secrets);
});

test("secrets from the environment take precedence, and no file is needed if all are given", () => {
  const given = { AUTH_SECRET: "a".repeat(32), KEY_PEPPER: "p:AAAA", KEKS: "k:AAAA" };
  expect(loadSecrets(dataDir, given)).toEqual(given);
  expect(existsSync(file())).toBe(false);
  const mixed = loadSecrets(dataDir, { KEY_PEPPER: "p:AAAA" });
  expect(mixed.KEY_PEPPER).toBe("p:AAAA");
  expect(mixed.KEKS).toMatch(/^k1:/);
});

test("twelve concurrent processes agree on the same secrets", async () => {
  const bundle = join(dataDir, "secrets.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "secrets.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  const script = `import { loadSecrets } from ${JSON.stringify(bundle)}; console.log(JSON.stringify(loadSecrets(${JSON.stringify(dataDir)}, {})));`;
  const outputs = await Promise.all(
    Array.from({ length: 12 }, () => run(process.execPath, ["--input-type=module", "-e", script])),
  );
  const found = outputs.map(({ stdout }) => JSON.parse(stdout) as Secrets);
  expect(new Set(found.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
  expect(readdirSync(dataDir).sort()).toEqual(["secrets.json", "secrets.mjs"]);
});

test("a damaged file is never replaced: the start fails with an explanation", () => {
  writeFileSync(file(), "{");
  expect(() => loadSecrets(dataDir, {})).toThrow("secrets.json cannot be read");
  writeFileSync(file(), "{}");
  expect(() => loadSecrets(dataDir, {})).toThrow("has no AUTH_SECRET");
});
