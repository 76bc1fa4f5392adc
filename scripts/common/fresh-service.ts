import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { answersOk, claimPort, startProgram, waitUntil } from "./processes.mjs";

/** The first start builds the pages. */
const SERVICE_TIMEOUT_MS = 10 * 60_000;

/**
 * The service with an empty database of its own in a temporary folder, as after an installation.
 *
 * @param {{ say: (line: string) => void, undo: (() => unknown)[], variables?: NodeJS.ProcessEnv }} options `undo` gets
 *   what ends it again, last first; `variables` join the environment
 */
export async function startFreshService({ say, undo, variables = {} }) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "imprint-fresh-"));
  undo.push(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  fs.chmodSync(dataDir, 0o755);
  const port = await claimPort(0);
  const url = `http://localhost:${port}`;
  const own = { NODE_ENV: "production", PORT: String(port), BASE_URL: url, DATA_DIR: dataDir };
  const env = { ...process.env, ...own, ...variables };
  let setupUrl = "";
  const onLine = (/** @type {string} */ line) => {
    setupUrl = /^Set-up\s+(\S+)/.exec(line)?.[1] ?? setupUrl;
    say(`  ${line}`);
  };
  const program = startProgram("service", ["scripts/start.mjs"], { env, onLine });
  undo.push(() => program.stop());
  const isOpen = async () => setupUrl !== "" && (await answersOk(`${url}/readyz`));
  await waitUntil(isOpen, { program, timeoutMs: SERVICE_TIMEOUT_MS });
  return { url, env, setupUrl, dataDir };
}

/**
 * What an owner does from the set-up link to the Console, one action each.
 *
 * @param {import("playwright-core").Page} page
 * @param {{ setupUrl: string, owner: string }} of
 * @returns {{ name: string, act: () => Promise<unknown> }[]}
 */
export const setUpActions = (page, { setupUrl, owner }) => [
  { name: "open the set-up link", act: () => page.goto(setupUrl) },
  { name: "e-mail address", act: () => page.getByLabel("Your e-mail address").fill(owner) },
  { name: "workspace", act: () => page.getByLabel("Workspace").fill("Acme") },
  { name: "first Web App", act: () => page.getByLabel("First Web App").fill("Shop") },
  {
    name: "allowed origins",
    act: () => page.getByRole("textbox", { name: "Allowed origins" }).fill("https://shop.example"),
  },
  { name: "set up", act: () => page.getByRole("button", { name: "Set up" }).click() },
  { name: "the key is stored", act: () => page.getByText("I have stored the key").click() },
  { name: "to the Console", act: () => page.getByRole("button", { name: "To the Console" }).click() },
];
