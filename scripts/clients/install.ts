import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";

import { ROOT } from "../build/layout.mjs";

const run = promisify(execFile);

/** Clients as people install them. */
const PACKAGES = {
  "@anthropic-ai/claude-code": "2.1.330",
  "@openai/codex": "0.169.0",
  "mcp-remote": "0.15.1",
  "@modelcontextprotocol/inspector": "2.12.0",
  "@x402/fetch": "2.27.0",
  "@x402/axios": "2.11.0",
  "@coinbase/agentkit": "0.10.4",
} as const;

/** Some clients need a newer Node than the service does. */
const RUNTIME = { node: "22.23.3" };
/** Peer packages of the clients; the newest `viem` requires a package that not every registry has. */
const WITH = { "@x402/evm": "2.27.0", axios: "1.21.1", viem: "2.57.1" } as const;

export type ClientPackage = keyof typeof PACKAGES;
export const versionOf = (name: ClientPackage): string => PACKAGES[name];

const FOLDER = path.join(ROOT, ".test/clients");
const INSTALL_MS = 10 * 60_000;

/** Path of a program installed by the packages, or of a system program given by its path. */
export const programOf = (name: string): string =>
  path.isAbsolute(name) ? name : path.join(FOLDER, "node_modules/.bin", name);

/** Node 22, for clients that require it. */
export const NODE_22 = path.join(FOLDER, "node_modules/node/bin/node");

/** Loads a library that the packages installed; its types are those of the same library in this repository. */
export const loadClient = (name: string): unknown => createRequire(path.join(FOLDER, "package.json"))(name);

/** Installs the clients once, separate from the repository's packages. */
export async function installClients(log: (line: string) => void): Promise<void> {
  const file = path.join(FOLDER, "package.json");
  const dependencies = { ...PACKAGES, ...RUNTIME, ...WITH };
  const manifest = JSON.stringify({ private: true, dependencies }, undefined, 2);
  const marker = path.join(FOLDER, "installed");
  if (fs.existsSync(marker) && fs.readFileSync(file, "utf8") === manifest) return;
  log("Installing the clients into .test/clients, which takes a few minutes");
  fs.rmSync(FOLDER, { recursive: true, force: true });
  fs.mkdirSync(FOLDER, { recursive: true });
  fs.writeFileSync(file, manifest);
  await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: FOLDER, timeout: INSTALL_MS });
  await run("node", ["node_modules/node/installArchSpecificPackage.js"], { cwd: FOLDER });
  // Its own install script puts the program for this platform in place.
  await run("node", ["install.cjs"], { cwd: path.join(FOLDER, "node_modules/@anthropic-ai/claude-code") });
  fs.writeFileSync(marker, "");
}
