export type ReadinessReport = {
  status: "ready" | "unavailable";
  version: string;
  checks: Record<string, "ok" | "failed">;
};

/** One readiness condition. It passes if the promise resolves to true in time. */
export type Check = () => Promise<boolean>;

const CHECK_TIMEOUT_MS = 2_000;

async function passes(check: Check): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, false);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Runs all checks concurrently, each with a timeout. Calls during a run share its result. */
export function createReadiness(version: string, checks: Record<string, Check>): () => Promise<ReadinessReport> {
  let running: Promise<ReadinessReport> | undefined;
  const run = async (): Promise<ReadinessReport> => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, (await passes(check)) ? "ok" : "failed"] as const),
    );
    const isReady = results.every(([, result]) => result === "ok");
    return { status: isReady ? "ready" : "unavailable", version, checks: Object.fromEntries(results) };
  };
  return () =>
    (running ??= run().finally(() => {
      running = undefined;
    }));
}
