import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import { ROOT } from "../build/layout.mjs";

/** The newest suite, which covers both protocol versions. It requires Node 22, which npm installs too. */
const TOOLS = {
  node: "22.23.3",
  "@modelcontextprotocol/conformance": "0.2.0-alpha.12",
};

const FOLDER = path.join(ROOT, ".test/conformance");
const NODE = path.join(FOLDER, "node_modules/.bin/node");
const SUITE = path.join(FOLDER, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

type Finished = { code: number | null; output: string };

/** Runs a program; returns its output and exit code. `onText` receives the whole output so far. */
function run(command: string, args: readonly string[], onText: (text: string) => void = () => undefined) {
  return new Promise<Finished>((resolve, reject) => {
    const child = spawn(command, args, { cwd: FOLDER, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        onText(output);
      });
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code, output });
    });
  });
}

/** Installs the suites and their Node once, separate from the repository's packages. */
export async function installTools(log: (line: string) => void): Promise<void> {
  const file = path.join(FOLDER, "package.json");
  const manifest = JSON.stringify({ private: true, dependencies: TOOLS }, undefined, 2);
  if (fs.existsSync(NODE) && fs.existsSync(file) && fs.readFileSync(file, "utf8") === manifest) return;
  log("Installing the conformance suites and Node 22 into .test/conformance");
  fs.rmSync(FOLDER, { recursive: true, force: true });
  fs.mkdirSync(FOLDER, { recursive: true });
  fs.writeFileSync(file, manifest);
  const { code, output } = await run("npm", ["install", "--no-audit", "--no-fund"]);
  if (code !== 0) throw new Error(`The suites could not be installed:\n${output}`);
  await run("node", ["node_modules/node/installArchSpecificPackage.js"]);
  if (!fs.existsSync(NODE)) throw new Error("npm has no Node 22 for this platform.");
}

/** Runs a suite; returns its output and exit code. */
export const runSuite = (args: readonly string[], onText?: (text: string) => void) =>
  run(NODE, [SUITE, ...args], onText);
