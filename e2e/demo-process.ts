import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

import { installServerPackage } from "@/scripts/server-package/install.mjs";
import { ROOT } from "./process/service";

const READY_TIMEOUT_MS = 90_000;

type Started = {
  process: ChildProcess;
  /** Lines of stdout and stderr, in order. */
  lines: string[];
  /** Waits for the first matching line, with a time limit. */
  waitForLine: (pattern: RegExp) => Promise<string>;
  stop: () => Promise<number | null>;
};

/** Starts a program of the repository and collects its lines. */
export function startProgram(command: string, args: string[], environment: Record<string, string>): Started {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, IMPRINT_BUILD_DIR: ".test", LOG_LEVEL: "warn", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => lines.push(line));
  }
  const closed = once(child, "close");
  return {
    process: child,
    lines,
    async waitForLine(pattern) {
      const deadline = performance.now() + READY_TIMEOUT_MS;
      for (;;) {
        const found = lines.find((line) => pattern.test(line));
        if (found !== undefined) return found;
        if (child.exitCode !== null || performance.now() > deadline)
          throw new Error(`No line matches ${pattern.source}:\n${lines.join("\n")}`);
        await delay(25);
      }
    },
    async stop() {
      child.kill("SIGTERM");
      await closed;
      return child.exitCode;
    },
  };
}

type DemoFacts = {
  imprint_url: string;
  shop_url: string;
  data_dir: string;
  workspace_id: string;
  environment_id: string;
  api_key: string;
};

/** Starts `npm run demo` and waits until it is ready for visits. */
export async function startDemo(args: string[] = []) {
  const program = startProgram("npm", ["run", "-s", "demo", "--", "--json", ...args], { PORT: "0" });
  const facts = JSON.parse(await program.waitForLine(/^\{"imprint_url"/)) as DemoFacts;
  return { ...program, facts };
}

/** Starts only the example shop, in front of any service. */
export async function startShop(environment: Record<string, string>) {
  await installServerPackage(join(ROOT, "examples/shop"));
  const program = startProgram(process.execPath, ["examples/shop/server.mjs"], { PORT: "0", ...environment });
  const line = await program.waitForLine(/^Shop\s+http/);
  return { ...program, url: line.replace(/^Shop\s+/, "") };
}
