import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { ROOT } from "../build/layout.mjs";

/**
 * The parts used of what TypeScript writes about a program (`*.tsbuildinfo`): a file has the number of its position plus
 * one, and `referencedMap` pairs it with a list of `fileIdsList`, the files that it imports.
 *
 * @typedef {{ fileNames: string[], fileInfos: (string | { version: string, affectsGlobalScope?: boolean })[],
 *   fileIdsList: number[][], referencedMap: [file: number, list: number][] }} BuildInfo
 */

/** What decides over findings besides the linted file and what it imports. */
const FOR_ALL_FILES = [
  ".oxlintrc.json",
  "scripts/check/lint-rules.mjs",
  "tsconfig.json",
  "node_modules/.package-lock.json",
];

/** @param {string[]} parts */
const digest = (parts) => createHash("sha256").update(parts.join("\n")).digest("base64url").slice(0, 22);

/**
 * A key of each file of the program, by path from the root. Lint rules see the types of what a file imports, so its key
 * changes with the content of each file that it imports, directly or not, and with everything that all files see.
 *
 * @param {BuildInfo} buildInfo @param {{ folder: string, root: string, salt: string }} options
 *   `folder`: where the build info lies
 */
export function lintKeys({ fileNames, fileInfos, fileIdsList, referencedMap }, { folder, root, salt }) {
  const files = fileNames.map((name, index) => {
    const info = fileInfos[index];
    const { version = "", affectsGlobalScope = false } = typeof info === "string" ? { version: info } : (info ?? {});
    const absolute = path.resolve(folder, name);
    const file = path.relative(root, absolute);
    // Only TypeScript's own libraries have names without a folder.
    const isInstalled = !name.startsWith(".") || absolute.includes("/node_modules/");
    return { file, isInstalled, isGlobal: affectsGlobalScope || file.endsWith(".d.ts"), content: `${file} ${version}` };
  });
  const imports = new Map(referencedMap.map(([file, list]) => [file - 1, fileIdsList[list - 1] ?? []]));
  const global = files.filter(({ isInstalled, isGlobal }) => isGlobal && !isInstalled).map(({ content }) => content);
  const forAll = digest([salt, ...global.sort()]);

  /** @param {number} start */
  const keyOf = (start) => {
    const reached = new Set([start]);
    for (const index of reached)
      for (const id of imports.get(index) ?? []) if (files[id - 1]?.isInstalled === false) reached.add(id - 1);
    return digest([forAll, ...[...reached].map((index) => files[index]?.content ?? "").sort()]);
  };
  return new Map(
    files.flatMap(({ file, isInstalled }, index) => (isInstalled ? [] : [/** @type {const} */ ([file, keyOf(index)])])),
  );
}

/** What oxlint prints below its findings. */
const SUMMARY = /\d+ problems? \(\d+ errors?, /;

const noError = () => undefined;
/** @param {unknown} error */
const toError = (error) => (error instanceof Error ? error : new Error(String(error)));

/** @param {string} file @returns {unknown} `undefined` if it cannot be read */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Lints the files that changed, or import one that changed, since the linter last found nothing in them. A run in a
 * fresh clone lints all.
 *
 * @param {{ cache: string, buildInfo: string, fix: boolean, oxlint: (args: string[]) => Promise<string> }} options
 *   `buildInfo`: the file that the type check has just written
 */
export async function lint({ cache, buildInfo, fix, oxlint }) {
  const program = /** @type {BuildInfo | undefined} */ (readJson(buildInfo));
  const salt = digest(FOR_ALL_FILES.map((file) => readFileSync(path.join(ROOT, file), "utf8")));
  const keys = program && lintKeys(program, { folder: path.dirname(buildInfo), root: ROOT, salt });
  const clean = new Map(Object.entries(/** @type {Record<string, string>} */ (readJson(cache) ?? {})));

  const all = (await oxlint(["--debug=files"])).split("\n").filter((line) => line !== "");
  const changed = all.filter((file) => keys?.get(file) === undefined || keys.get(file) !== clean.get(file));
  const options = ["--format=stylish", ...(fix ? ["--fix"] : []), ...(changed.length < all.length ? changed : [])];
  const error = changed.length === 0 ? undefined : await oxlint(options).then(noError, toError);
  // Fixed files have other contents than those that the keys describe; without a summary not all files were linted.
  if (keys && !fix && (error === undefined || SUMMARY.test(error.message)))
    writeFileSync(
      cache,
      JSON.stringify(Object.fromEntries([...keys].filter(([file]) => !error?.message.includes(file)))),
    );
  if (error) throw error;
}
