import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

import { extract } from "tar-stream";

import { bundleComponent } from "../component/bundle.mjs";
import { bundleServerPackage } from "./bundle.mjs";

/**
 * Unpacks an archive as a package manager does; returns its file names.
 *
 * @param {Buffer} archive @param {string} target
 */
async function unpack(archive, target) {
  const entries = extract();
  entries.end(gunzipSync(archive));
  const names = [];
  for await (const entry of entries) {
    const chunks = /** @type {Buffer[]} */ ([]);
    for await (const chunk of entry) chunks.push(/** @type {Buffer} */ (chunk));
    const name = entry.header.name.replace(/^package\//, "");
    names.push(name);
    const file = join(target, name);
    await mkdir(dirname(file), { recursive: true });
    // Replaced atomically: a program starting meanwhile reads the old or the new file.
    await writeFile(`${file}.${process.pid}`, Buffer.concat(chunks));
    await rename(`${file}.${process.pid}`, file);
  }
  return names;
}

/**
 * Installs `imprint-server`, built from source, into `node_modules` of a folder; returns its file names.
 *
 * @param {string} folder
 */
export async function installServerPackage(folder) {
  const { files } = await bundleServerPackage();
  return unpack(files["imprint-server.tgz"] ?? Buffer.alloc(0), join(folder, "node_modules/imprint-server"));
}

/**
 * Installs `imprint-browser` in the same way.
 *
 * @param {string} folder
 */
export async function installComponentPackage(folder) {
  const { version, versioned } = await bundleComponent();
  const archive = versioned[`imprint-${version}.tgz`] ?? Buffer.alloc(0);
  return unpack(archive, join(folder, "node_modules/imprint-browser"));
}
