import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { extract } from "tar-stream";

import { bundleServerPackage } from "../scripts/server-package/bundle.mjs";

/** Unpacks the archive of `imprint-server` into `node_modules` of a folder, as a package manager does; its file names. */
export async function installServerPackage(folder: string): Promise<string[]> {
  const { files } = await bundleServerPackage();
  const target = join(folder, "node_modules/imprint-server");
  await mkdir(target, { recursive: true });
  const archive = extract();
  archive.end(gunzipSync(files["imprint-server.tgz"] ?? ""));
  const names: string[] = [];
  for await (const entry of archive) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const name = entry.header.name.replace(/^package\//, "");
    names.push(name);
    await writeFile(join(target, name), Buffer.concat(chunks));
  }
  return names;
}
