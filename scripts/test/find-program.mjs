import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const isDebian = () => fs.existsSync("/etc/debian_version");

/** @param {string} file @param {string} versionArgument */
async function works(file, versionArgument) {
  if (!fs.existsSync(file)) return false;
  try {
    await run(file, [versionArgument], { timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

/** Folders of programs that are not always on the PATH. */
const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/**
 * Possible locations of programs with these names.
 *
 * @param {readonly string[]} names
 */
export const onPath = (names) =>
  [...(process.env["PATH"] ?? "").split(path.delimiter), ...FOLDERS].flatMap((folder) =>
    names.map((name) => path.join(folder, name)),
  );

/** @param {readonly string[]} files @param {string} versionArgument */
async function firstThatWorks(files, versionArgument) {
  for (const file of files) if (await works(file, versionArgument)) return file;
  return undefined;
}

const aptGet = (/** @type {string[]} */ ...args) =>
  run("apt-get", args, {
    timeout: 10 * 60_000,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });

/**
 * The package list update, needed once per run.
 *
 * @type {Promise<unknown> | undefined}
 */
let updated;

/** @param {string} name */
async function installPackage(name) {
  await (updated ??= aptGet("update"));
  await aptGet("install", "-y", "--no-install-recommends", name);
}

/**
 * @typedef {object} Program
 * @property {string} title how messages call it, e.g. `Chromium`
 * @property {string} purpose what needs it, as the start of a sentence
 * @property {string} variable environment variable that names the program, and wins
 * @property {string} debianPackage
 * @property {string} elsewhere the command that installs it on another system
 * @property {() => readonly string[]} candidates files to try, the best first
 * @property {boolean} [isLookingOnly] nothing is installed
 * @property {string} [versionArgument] what the program takes to print its version
 */

/**
 * Finds a program that the tests need: the one named by the variable, or one installed on the system. On Debian as
 * root, installs the package unless `isLookingOnly`. A missing program is never skipped silently.
 *
 * @param {Program} program
 * @throws Error with the command that installs it
 */
export async function findProgram(program) {
  const { title, purpose, variable, debianPackage, elsewhere, candidates, isLookingOnly } = program;
  const { versionArgument = "--version" } = program;
  const given = process.env[variable];
  if (given) {
    if (await works(given, versionArgument)) return given;
    throw new Error(`${variable}=${given} does not run here; expected ${title}.`);
  }
  const found = await firstThatWorks(candidates(), versionArgument);
  if (found) return found;
  if (!isLookingOnly && isDebian() && process.getuid?.() === 0) {
    console.log(`${title} was not found: installing the package \`${debianPackage}\``);
    try {
      await installPackage(debianPackage);
    } catch (error) {
      console.log(`apt-get failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    const installed = await firstThatWorks(candidates(), versionArgument);
    if (installed) return installed;
  }
  const command = isDebian() ? `sudo apt-get install -y ${debianPackage}` : elsewhere;
  throw new Error(`${purpose} needs ${title}. Install it with: ${command}   (or set ${variable})`);
}
