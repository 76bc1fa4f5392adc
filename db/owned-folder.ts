import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { birthOf, isAlive } from "./processes.mjs";

/** File that names the process to which a folder belongs. */
const OWNER = "owner";

/** Process ids are of a namespace: those of another container say nothing here. */
export function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return ""; // not Linux
  }
}

type Owner = { namespace: string; id: number; birth: string };

const ownerOf = (folder: string) => JSON.parse(readFileSync(join(folder, OWNER), "utf8")) as Owner;

/** Whether the process that made a folder is known to be gone. */
function isAbandoned(folder: string): boolean {
  try {
    const { uid } = lstatSync(folder);
    if (process.getuid !== undefined && uid !== process.getuid()) return false;
    const { namespace, id, birth } = ownerOf(folder);
    return namespace === processNamespace() && Number.isInteger(id) && !isAlive(id, birth);
  } catch {
    return false; // being made or removed, or not one of these folders
  }
}

/**
 * Makes a temporary folder that only this user may enter, and removes those of this kind whose process has ended without
 * removing its own.
 *
 * @throws the system's error
 */
export function makeOwnedFolder(parent: string, prefix: string): string {
  const made = mkdtempSync(join(parent, prefix));
  const owner: Owner = { namespace: processNamespace(), id: process.pid, birth: birthOf(process.pid) };
  writeFileSync(join(made, OWNER), JSON.stringify(owner), { mode: 0o600 });
  for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix))) {
    const folder = join(parent, name);
    if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true });
  }
  return made;
}
