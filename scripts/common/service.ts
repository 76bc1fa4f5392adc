import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import type { Page } from "playwright-core";

import { NODE_FLAGS } from "../start/node-flags.mjs";
import type { CleanUp } from "./command";
import { claimPort, type Environment, environmentWith, startProgram, waitUntilReady } from "./processes";

/** The first start builds the pages. */
const READY_TIMEOUT_MS = 10 * 60_000;

/** Creates a temporary folder for an embedded database; it is removed at the end. */
export function makeDataDir(cleanUp: CleanUp): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "imprint-data-"));
  // If started by root, PostgreSQL runs as another user, who must be able to enter the folder.
  fs.chmodSync(folder, 0o711);
  cleanUp.push(() => {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  return folder;
}

type Options = {
  /** Receives the function that stops the service; without it, the caller has to stop it. */
  cleanUp?: CleanUp;
  dataDir: string;
  port?: number;
  variables?: Environment;
  /** Also waits for the set-up link, which an empty database has. */
  isEmpty?: boolean;
  onLine?: (line: string) => void;
};

export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts the real service in production mode with an embedded database in `dataDir`, and waits until it is ready. */
export async function startService({ cleanUp, dataDir, port, variables, isEmpty = false, onLine }: Options) {
  const taken = port ?? (await claimPort());
  const url = `http://localhost:${taken}`;
  const own = { DATA_DIR: dataDir, DATABASE_URL: "", PORT: String(taken), BASE_URL: url, LOG_LEVEL: "error" };
  const env = environmentWith({ ...own, ...variables });
  const lines: string[] = [];
  let setupUrl = "";
  const startedAt = performance.now();
  const program = startProgram("service", [...NODE_FLAGS, "scripts/start.mjs"], {
    env,
    onLine(line) {
      setupUrl = /^Set-up\s+(\S+)/.exec(line)?.[1] ?? setupUrl;
      if (onLine) onLine(line);
      else lines.push(line);
    },
  });
  cleanUp?.push(() => program.stop());
  try {
    const isReady = () => !isEmpty || setupUrl !== "";
    await waitUntilReady(program, { url: `${url}/readyz`, timeoutMs: READY_TIMEOUT_MS, isReady });
  } catch (error) {
    await program.stop();
    throw new Error([error instanceof Error ? error.message : String(error), ...lines].join("\n"), { cause: error });
  }
  // Load generators do not resolve names, so they get the IP address.
  const address = `http://127.0.0.1:${taken}`;
  return { ...program, url, address, port: taken, env, dataDir, setupUrl, readyMs: performance.now() - startedAt };
}

/** Starts the service with an empty temporary database, as after an installation. */
export const startFreshService = ({
  log,
  cleanUp,
  variables = {},
}: {
  log: (line: string) => void;
  cleanUp: CleanUp;
  variables?: Environment;
}) =>
  startService({
    cleanUp,
    dataDir: makeDataDir(cleanUp),
    variables: { LOG_LEVEL: "warn", ...variables },
    isEmpty: true,
    onLine(line) {
      log(`  ${line}`);
    },
  });

/** The owner's actions from the set-up link to the Console. */
export const setUpActions = (
  page: Page,
  { setupUrl, owner }: { setupUrl: string; owner: string },
): { name: string; act: () => Promise<unknown> }[] => [
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
