import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

import { ROOT } from "./layout.mjs";

const FOLDERS = [
  "app",
  "components",
  "lib",
  "db",
  "server",
  "packages/server",
  "public",
  "docs",
  "examples/actions",
  "examples/next",
  "examples/quickstart",
  "examples/sites",
  "releases/component",
  "releases/server",
  "scripts/admin",
  "scripts/build",
  "scripts/common",
  "scripts/component",
  "scripts/ip-update",
  "scripts/server-package",
];
const FILES = [
  "server.ts",
  "next.config.ts",
  "instrumentation-client.ts",
  "postcss.config.mjs",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];
const NOT_BUILT = /\.(test|spec)\.tsx?$|\/testing\.ts$/;

/** @param {string} folder @returns {string[]} */
const filesUnder = (folder) =>
  fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Digest of all build inputs: identical inputs give an identical build. */
export function inputDigest() {
  const files = [
    ...FOLDERS.map((name) => path.join(ROOT, name))
      .filter((folder) => fs.existsSync(folder))
      .flatMap(filesUnder),
    ...FILES.map((name) => path.join(ROOT, name)).filter((file) => fs.existsSync(file)),
  ].filter((file) => !NOT_BUILT.test(file));
  const digest = createHash("sha256").update(process.version);
  for (const file of files.sort())
    digest
      .update(`${path.relative(ROOT, file)}\0`)
      .update(fs.readFileSync(file))
      .update("\0");
  return digest.digest("hex");
}

/** @param {string} folder */
const stampFile = (folder) => path.join(folder, "imprint-build.json");

/**
 * Whether `folder` contains a finished build of these inputs.
 *
 * @param {string} folder @param {string} digest
 */
export function isFresh(folder, digest) {
  try {
    const stamp = /** @type {{ digest: string }} */ (JSON.parse(fs.readFileSync(stampFile(folder), "utf8")));
    return stamp.digest === digest;
  } catch {
    return false;
  }
}

/** @param {string} folder */
export const forgetStamp = (folder) => {
  fs.rmSync(stampFile(folder), { force: true });
};

/** @param {string} folder @param {string} digest */
export const writeStamp = (folder, digest) => {
  fs.writeFileSync(stampFile(folder), JSON.stringify({ digest }));
};
