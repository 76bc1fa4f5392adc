import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The operating-system user that PostgreSQL runs as. */
export type Account = { uid: number; gid: number };

export const isRoot = (): boolean => process.getuid?.() === 0;

/** PostgreSQL refuses to run as root and needs a user that exists on the system: `postgres`, else `nobody`. */
export function unprivilegedAccount(): Account {
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error(
    "PostgreSQL does not run as root, and this system has neither a user `postgres` nor `nobody`. Start Imprint as an ordinary user, or set DATABASE_URL to a PostgreSQL server.",
  );
}

/** Owner of `path`; undefined if it does not exist or belongs to root. */
export function ownerOf(path: string): Account | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined;
}

function mayEnter(folder: string, { uid, gid }: Account): boolean {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return true; // missing folders are created later, files are checked when they are read
  if (stat.uid === uid) return (stat.mode & 0o100) !== 0;
  if (stat.gid === gid) return (stat.mode & 0o010) !== 0;
  return (stat.mode & 0o001) !== 0;
}

/** Whether `account` may enter `path` and every folder above it. */
export function canReach(path: string, account: Account): boolean {
  for (let at = resolve(path); ; at = dirname(at)) {
    if (!mayEnter(at, account)) return false;
    if (at === dirname(at)) return true;
  }
}
