import { setTimeout as delay } from "node:timers/promises";

import { oncePerRun } from "@/lib/platform/share-runs";

export type ReadinessReport = {
  status: "ready" | "unavailable";
  version: string;
  checks: Record<string, "ok" | "failed">;
};

/** One readiness condition. It passes if the promise resolves to true in time. */
export type Check = () => Promise<boolean>;

const CHECK_TIMEOUT_MS = 2_000;

async function passes(check: Check): Promise<boolean> {
  try {
    return await Promise.race([check(), delay(CHECK_TIMEOUT_MS, false, { ref: false })]);
  } catch {
    return false;
  }
}

/** Runs all checks concurrently, each with a timeout. Calls during a run share its result. */
export const createReadiness = (version: string, checks: Record<string, Check>): (() => Promise<ReadinessReport>) =>
  oncePerRun(async () => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, (await passes(check)) ? "ok" : "failed"] as const),
    );
    const isReady = results.every(([, result]) => result === "ok");
    return { status: isReady ? "ready" : "unavailable", version, checks: Object.fromEntries(results) };
  });
