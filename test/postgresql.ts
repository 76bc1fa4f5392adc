import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import { npmPackage } from "@/db/embedded-major";

const FOLDER = resolve(".test/postgresql");
const TIMEOUT_MS = 5 * 60_000;

/** Programs of a major version from npm; installed next to the test builds if missing. */
export async function npmPrograms(major: number): Promise<string> {
  const found = npmPackage(major);
  if (!found) throw new Error(`no npm package of PostgreSQL ${major} is known`);
  const programs = join(FOLDER, String(major), "node_modules", found.name, "native/bin");
  if (existsSync(programs)) return programs;
  const draft = join(FOLDER, `${major}.${process.pid}`);
  await mkdir(draft, { recursive: true });
  const options = ["--no-audit", "--no-fund", "--loglevel=error", "--prefix", draft];
  await promisify(execFile)("npm", ["install", ...options, `${found.name}@${found.version}`], {
    timeout: TIMEOUT_MS,
    env: { ...process.env, npm_config_global: "", npm_config_local_prefix: "" },
  });
  // Another process may have been first.
  await rename(draft, join(FOLDER, String(major))).catch(() => rm(draft, { recursive: true, force: true }));
  return programs;
}
