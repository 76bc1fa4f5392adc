import fs from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import { type Expected, loadRelease, readExpected, RELEASES } from "@/db/releases/load-release";
import type { CleanUp } from "../common/command";
import { makeDataDir, startService } from "../common/service";
import {
  backUp,
  destroy,
  digest,
  environmentOf,
  expectEqual,
  makeInstallation,
  restore,
  type Step,
} from "./installation";

/** Number of Reports to re-read per workspace. */
const REPORTS = 40;
/** Keeps the request rate below a Lite key's limit. */
const PAUSE_MS = 130;

export const releasedVersions = (): string[] =>
  fs
    .readdirSync(RELEASES, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));

/** Re-reads Reports of every workspace: each must be byte for byte what the release returned. */
async function checkReports(url: string, { workspaces }: Expected): Promise<number> {
  let count = 0;
  for (const { keys, reports } of workspaces) {
    for (const { imprint, sha256 } of reports.slice(-REPORTS)) {
      const headers = { "x-api-key": keys.accepted[0] ?? "" };
      const response = await fetch(`${url}/api/v1/fingerprint/report/${imprint}`, { headers });
      expectEqual([response.status, digest(await response.text())], [200, sha256], `the Report of ${imprint}`);
      count += 1;
      await delay(PAUSE_MS);
    }
  }
  return count;
}

/**
 * Takes a release's database that this version has not migrated yet: backs it up, destroys, restores and compares it,
 * and upgrades it by starting the service.
 */
export async function drillRelease(version: string, cleanUp: CleanUp, step: Step): Promise<void> {
  const expected = readExpected(version);
  const dataDir = await makeInstallation(cleanUp, expected.secrets, async (url) => {
    await loadRelease(url, version);
  });
  step(`loaded the database of ${version}`);
  const folder = makeDataDir(cleanUp);
  const file = await backUp(environmentOf(dataDir), folder, step);
  destroy(dataDir, step);
  const restored = makeDataDir(cleanUp);
  await restore(environmentOf(restored), file, step);
  const variables = { BASE_URL: expected.baseUrl, RETENTION_DAYS: "3650", SIGNALS_RETENTION_DAYS: "3650" };
  const service = await startService({ dataDir: restored, variables });
  try {
    const count = await checkReports(service.address, expected);
    step(`upgraded: ${count} Reports are byte for byte as in ${version}`);
  } finally {
    await service.stop();
  }
}
