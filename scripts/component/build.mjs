import { mkdir, rm, writeFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";

import { ROOT } from "../build/layout.mjs";
import { bundleServerPackage } from "../server-package/bundle.mjs";
import { bundleComponent } from "./bundle.mjs";
import { compressBrotli, compressGzip } from "./compress.mjs";
import { integrityOf, readRelease, readReleases, requireSame } from "./releases.mjs";

/** @type {Readonly<Record<string, string>>} */
const CONTENT_TYPES = {
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".ts": "text/plain; charset=utf-8",
  ".tgz": "application/gzip",
  ".py": "text/x-python; charset=utf-8",
};

/** @typedef {{ version: string, contentType: string, bytes: number, gzipBytes?: number, brotliBytes?: number, integrity: string, isImmutable: boolean }} Entry */
/** @typedef {{ version: string, released: string[], files: Record<string, Entry> }} Manifest */

/**
 * Writes a file, with a compressed copy next to it if that is smaller; resolves to their sizes.
 *
 * @param {string} folder @param {string} name @param {Buffer} bytes
 */
async function writeFiles(folder, name, bytes) {
  await writeFile(join(folder, name), bytes);
  if (name.endsWith(".tgz")) return { bytes: bytes.length };
  const [zipped, packed] = await Promise.all([compressGzip(bytes), compressBrotli(bytes)]);
  await Promise.all([writeFile(join(folder, `${name}.gz`), zipped), writeFile(join(folder, `${name}.br`), packed)]);
  return { bytes: bytes.length, gzipBytes: zipped.length, brotliBytes: packed.length };
}

/** @typedef {{ version: string, files: Record<string, Buffer>, versioned: Record<string, Buffer> }} Bundle */

/**
 * All files to serve for one release line: those that change with the next release, then the releases, newest first.
 *
 * @param {import("./releases.mjs").Line} line @param {Bundle} bundle
 */
async function filesOf(line, { version, files, versioned }) {
  const releases = (await readReleases(line)).reverse();
  const entries = Object.entries(files).map(([name, bytes]) => ({ version, name, bytes, isImmutable: false }));
  for (const release of releases) {
    const released = await readRelease(release, line);
    if (release.version === version) requireSame(released, versioned, line);
    for (const [name, bytes] of Object.entries(released))
      entries.push({ version: release.version, name, bytes, isImmutable: true });
  }
  return { version, released: releases.map((release) => release.version), entries };
}

/**
 * Writes every file of the component and of the server package to `v1/` below `outDir`, which is emptied first: the
 * files built from source and those of every release.
 *
 * @param {{ outDir?: string, asVersion?: string }} [options] `asVersion` overrides the component's version in its
 * sources
 * @returns {Promise<Manifest>} the manifest, also written to `v1/manifest.json`
 */
export async function buildComponent({ outDir = join(ROOT, "dist/component"), asVersion } = {}) {
  const [component, server] = await Promise.all([
    bundleComponent(asVersion).then((bundle) => filesOf("component", bundle)),
    bundleServerPackage().then((bundle) => filesOf("server", bundle)),
  ]);
  const { version, released } = component;
  const folder = join(resolve(outDir), "v1");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  /** @type {Manifest} */
  const manifest = { version, released, files: {} };
  for (const { name, bytes, isImmutable, version: ofVersion } of [...component.entries, ...server.entries])
    manifest.files[name] = {
      version: ofVersion,
      contentType: CONTENT_TYPES[extname(name)] ?? "application/octet-stream",
      ...(await writeFiles(folder, name, bytes)),
      integrity: integrityOf(bytes),
      isImmutable,
    };
  await writeFiles(folder, "manifest.json", Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  return manifest;
}
