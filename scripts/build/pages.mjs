import { spawn } from "node:child_process";
import path from "node:path";

import { ROOT } from "./layout.mjs";

const NEXT = path.join(ROOT, "node_modules/next/dist/bin/next");

/**
 * Runs a program without showing its output; rejects with that output if it fails.
 *
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string>}
 */
export function runQuietly(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
    const chunks = /** @type {Buffer[]} */ ([]);
    child.stdout.on("data", (/** @type {Buffer} */ chunk) => chunks.push(chunk));
    child.stderr.on("data", (/** @type {Buffer} */ chunk) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", (code, signal) => {
      const output = Buffer.concat(chunks).toString();
      if (code === 0) resolve(output);
      else reject(new Error(`${path.basename(args[0] ?? command)} ended with ${signal ?? code}:\n${output}`));
    });
  });
}

export const buildPages = () =>
  runQuietly(process.execPath, [NEXT, "build"], {
    ...process.env,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
  });
