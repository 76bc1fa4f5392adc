import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

import { pack } from "tar-stream";

import { contentsOf, type Entry } from "./entries";

type EntryHeader = Parameters<ReturnType<typeof pack>["entry"]>[0];

/** All parent folders of the names, outermost first. */
function foldersOf(names: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const name of names) for (let at = path.dirname(name); at !== "."; at = path.dirname(at)) folders.add(at);
  return [...folders].sort();
}

async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/**
 * Writes a tar.gz with all entries in the folder `top`, and next to it the SHA-256 in the format of `sha256sum
 * --check`. Equal entries give equal bytes: names are sorted, owners and times are fixed.
 */
export async function writeArchive(
  file: string,
  { top, entries, mtime, isFast = false }: { top: string; entries: readonly Entry[]; mtime: Date; isFast?: boolean },
): Promise<{ bytes: number; sha256: string }> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  const archive = pack();
  const written = pipeline(archive, createGzip(isFast ? { level: 1 } : {}), createWriteStream(draft));
  const add = (headers: EntryHeader, contents?: Buffer) =>
    Promise.race([
      written,
      new Promise<void>((resolve, reject) => {
        const done = (error?: Error | null) => {
          if (error) reject(error);
          else resolve();
        };
        archive.entry({ ...headers, mtime, uid: 0, gid: 0, uname: "root", gname: "root" }, contents ?? "", done);
      }),
    ]);
  const names = entries.map(({ name }) => `${top}/${name}`);
  for (const name of foldersOf(names)) await add({ name: `${name}/`, type: "directory", mode: 0o755 });
  for (const entry of entries) {
    const name = `${top}/${entry.name}`;
    if (entry.kind === "link") await add({ name, type: "symlink", linkname: entry.target, mode: 0o777 });
    else await add({ name, mode: entry.isExecutable ? 0o755 : 0o644 }, contentsOf(entry));
  }
  archive.finalize();
  await written;
  const sha256 = await sha256OfFile(draft);
  await rename(draft, file);
  await writeFile(`${file}.sha256`, `${sha256}  ${path.basename(file)}\n`);
  return { bytes: (await stat(file)).size, sha256 };
}
