import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

import { ROOT } from "../build/layout.mjs";

/** A file of the package: copied, generated, or a link. */
export type Entry = { name: string; isExecutable: boolean } & (
  | { kind: "file"; source: string; bytes: number }
  | { kind: "text"; contents: Buffer; bytes: number }
  | { kind: "link"; target: string; bytes: 0 }
);

export const textEntry = (name: string, text: string | Uint8Array, isExecutable = false): Entry => {
  const contents = Buffer.from(text);
  return { name, isExecutable, kind: "text", contents, bytes: contents.length };
};

/** A file or link on disk; its name in the package defaults to its path in the repository. */
export function fileEntry(source: string, name = path.relative(ROOT, source)): Entry {
  const stat = lstatSync(source);
  if (!stat.isSymbolicLink())
    return { name, isExecutable: (stat.mode & 0o100) !== 0, kind: "file", source, bytes: stat.size };
  const target = readlinkSync(source);
  if (path.isAbsolute(target)) throw new Error(`${source} links to ${target}, outside the package.`);
  return { name, isExecutable: false, kind: "link", target, bytes: 0 };
}

/** Every file and link below a folder; `isWanted` gets the relative path, and can exclude whole folders. */
export function folderEntries(folder: string, isWanted: (name: string) => boolean = () => true): Entry[] {
  const entriesBelow = (below: string): Entry[] =>
    readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((found) => {
      const name = path.join(below, found.name);
      if (!isWanted(name)) return [];
      return found.isDirectory() ? entriesBelow(name) : [fileEntry(path.join(folder, name))];
    });
  return entriesBelow("");
}

export const contentsOf = (entry: Extract<Entry, { kind: "file" | "text" }>): Buffer =>
  entry.kind === "text" ? entry.contents : readFileSync(entry.source);
