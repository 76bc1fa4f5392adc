import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { ROOT } from "../build/layout.mjs";

/** Every release of the component, the oldest first, and what its files hash to. */
export const RELEASES_FILE = join(ROOT, "releases/component/releases.json");

/** @typedef {{ version: string, files: Record<string, string> }} Release names with their integrity values */

/** @param {string} version */
export const releaseFolder = (version) => join(ROOT, "releases/component", version);

/** @param {Uint8Array} bytes */
export const integrityOf = (bytes) => `sha384-${createHash("sha384").update(bytes).digest("base64")}`;

export const readReleases = async () => /** @type {Release[]} */ (JSON.parse(await readFile(RELEASES_FILE, "utf8")));

/**
 * The files of a release as they were published.
 *
 * @param {Release} release
 * @returns {Promise<Record<string, Buffer>>}
 */
export async function readRelease({ version, files }) {
  const read = async (/** @type {[name: string, integrity: string]} */ [name, integrity]) => {
    const bytes = await readFile(join(releaseFolder(version), name));
    if (integrityOf(bytes) !== integrity)
      throw new Error(
        `releases/component/${version}/${name} is not the file that was released. Take it from the repository again.`,
      );
    return /** @type {const} */ ([name, bytes]);
  };
  return Object.fromEntries(await Promise.all(Object.entries(files).map(read)));
}

/** What a file says, however its archive was compressed. @param {string} name @param {Buffer} bytes */
const contentOf = (name, bytes) => (name.endsWith(".tgz") ? gunzipSync(bytes) : bytes);

/**
 * Nothing when the sources still give the files of the release; else what to do about it. Sites hold the hashes of
 * those files, so that a version never gets others.
 *
 * @param {Record<string, Buffer>} released
 * @param {Record<string, Buffer>} built
 */
export function requireSame(released, built) {
  const changed = Object.entries(released)
    .filter(([name, bytes]) => {
      const own = built[name];
      return own === undefined || !contentOf(name, bytes).equals(contentOf(name, own));
    })
    .map(([name]) => name);
  if (changed.length === 0) return;
  throw new Error(
    `The sources of the browser component no longer give ${changed.join(", ")} as released. A released version never ` +
      "changes: raise the version in lib/component/component.json (CONTRIBUTING.md, How to release the browser component).",
  );
}
