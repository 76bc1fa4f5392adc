import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

import { AppError } from "@/lib/contract/errors";
import { canReach, isRoot, unprivilegedAccount } from "./embedded-account";
import { readConnection } from "./embedded-connection";
import { makeFolder } from "./make-folder.mjs";

/**
 * Parent folder for databases whose data directory the PostgreSQL user cannot enter, each under its data directory's
 * path.
 */
const OUTSIDE = "/var/lib/imprint-postgres";
const NAME = /^postgres(?:-(\d+))?$/;

const holdsCluster = (folder: string) => existsSync(join(folder, "data", "PG_VERSION"));

/** The major version of the database in `folder`; undefined when there is none. */
export function clusterMajor(folder: string): number | undefined {
  if (!holdsCluster(folder)) return undefined;
  return Number.parseInt(readFileSync(join(folder, "data", "PG_VERSION"), "utf8"), 10);
}

/** Location of a database called `name`: inside `dataDir`, or in a folder that the server's user can enter. */
export const placeOf = (dataDir: string, name: string): string =>
  !isRoot() || canReach(dataDir, unprivilegedAccount()) ? name : join(OUTSIDE, resolve(dataDir), name);

/** The newest database in `dataDir`, or at the target of a link created by an earlier start. */
function findInside(dataDir: string): string | undefined {
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  return readdirSync(dataDir)
    .filter((name) => NAME.test(name) && holdsCluster(join(dataDir, name)))
    .sort((a, b) => Number(NAME.exec(a)?.[1] ?? 0) - Number(NAME.exec(b)?.[1] ?? 0))
    .at(-1);
}

/**
 * Folder of a database whose `conn.json` is missing, or for a new one; relative to `dataDir` if inside it.
 *
 * @throws Error if a database outside remains from an earlier data directory of this name
 */
export function chooseFolder(dataDir: string): string {
  const inside = findInside(dataDir);
  if (inside !== undefined) return inside;
  const place = placeOf(dataDir, "postgres");
  if (isAbsolute(place) && holdsCluster(place))
    throw new Error(
      `${place} contains the database of an earlier ${dataDir} that was removed or lost. To use it, restore ${join(dataDir, "secrets.json")} from a backup and run: ln -s ${place} ${join(dataDir, "postgres")}   To start with an empty database, remove it: rm -r ${place}`,
    );
  return place;
}

/** Makes the parent folders of an outside database enterable but not readable, regardless of the umask. */
export function prepareParents(folder: string): void {
  if (!folder.startsWith(`${OUTSIDE}/`)) return;
  const parent = dirname(folder);
  makeFolder(parent, 0o711);
  for (let at = parent; at.startsWith(OUTSIDE); at = dirname(at))
    if ((statSync(at).mode & 0o001) === 0) chmodSync(at, 0o711);
}

/** Creates a link in `dataDir` to a database outside it, for people and file-level backups. */
export function linkOutside(dataDir: string, folder: string): void {
  if (folder.startsWith(`${dataDir}/`)) return;
  const name = basename(folder);
  const link = join(dataDir, NAME.test(name) ? name : "postgres");
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) rmSync(link);
  else if (found) return;
  symlinkSync(folder, link);
}

/** @throws AppError `conflict` when `dataDir` contains no embedded database, for example because it is misspelled or not mounted */
export function requireDatabase(dataDir: string): void {
  if (readConnection(dataDir) ?? findInside(dataDir)) return;
  throw new AppError("conflict", {
    message: `${dataDir} ${existsSync(dataDir) ? "contains no installation" : "does not exist"}. If one is expected there, is its volume mounted? Otherwise run this command with the DATA_DIR or the DATABASE_URL of the service.`,
  });
}

/** Location of the embedded database files of `dataDir`, as far as it can be determined. */
export function databaseFolder(dataDir: string): string {
  try {
    const given = readConnection(dataDir)?.folder ?? findInside(dataDir) ?? "";
    return resolve(dataDir, given);
  } catch {
    return dataDir;
  }
}
