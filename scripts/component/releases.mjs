import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { ROOT } from "../build/layout.mjs";

/**
 * Release lines with their own versions: the browser component and the server package.
 *
 * @typedef {"component" | "server"} Line
 */
/** @typedef {{ version: string, files: Record<string, string> }} Release names with their integrity values */

const LINES = {
  component: {
    title: "browser component",
    versionFile: "lib/component/component.json",
    chapter: "How to release the browser component",
  },
  server: {
    title: "server package",
    versionFile: "packages/server/version.json",
    chapter: "How to release the server package",
  },
};

/**
 * List of all releases, oldest first, with the hashes of their files.
 *
 * @param {Line} line
 */
export const releasesFile = (line) => join(ROOT, "releases", line, "releases.json");
export const RELEASES_FILE = releasesFile("component");

/** @param {string} version @param {Line} [line] */
export const releaseFolder = (version, line = "component") => join(ROOT, "releases", line, version);

/** @param {Uint8Array} bytes */
export const integrityOf = (bytes) => `sha384-${createHash("sha384").update(bytes).digest("base64")}`;

/** @param {Line} [line] */
export const readReleases = async (line = "component") =>
  /** @type {Release[]} */ (JSON.parse(await readFile(releasesFile(line), "utf8")));

/**
 * The files of a release as published.
 *
 * @param {Release} release
 * @param {Line} [line]
 * @returns {Promise<Record<string, Buffer>>}
 */
export async function readRelease({ version, files }, line = "component") {
  const read = async (/** @type {[name: string, integrity: string]} */ [name, integrity]) => {
    const bytes = await readFile(join(releaseFolder(version, line), name));
    if (integrityOf(bytes) !== integrity)
      throw new Error(
        `releases/${line}/${version}/${name} is not the file that was released. Take it from the repository again.`,
      );
    return /** @type {const} */ ([name, bytes]);
  };
  return Object.fromEntries(await Promise.all(Object.entries(files).map(read)));
}

/**
 * Content of a file, regardless of archive compression.
 *
 * @param {string} name @param {Buffer} bytes
 */
const contentOf = (name, bytes) => (name.endsWith(".tgz") ? gunzipSync(bytes) : bytes);

/**
 * Verifies that the sources still produce the files of the release, and throws with instructions if not. Sites store
 * the hashes of these files, so a version's files must never change.
 *
 * @param {Record<string, Buffer>} released
 * @param {Record<string, Buffer>} built
 * @param {Line} [line]
 */
export function requireSame(released, built, line = "component") {
  const changed = Object.entries(released)
    .filter(([name, bytes]) => {
      const own = built[name];
      return own === undefined || !contentOf(name, bytes).equals(contentOf(name, own));
    })
    .map(([name]) => name);
  if (changed.length === 0) return;
  const { title, versionFile, chapter } = LINES[line];
  throw new Error(
    `The sources of the ${title} no longer produce ${changed.join(", ")} as released. A released version never ` +
      `changes: raise the version in ${versionFile} (CONTRIBUTING.md, ${chapter}).`,
  );
}
