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

/** Reports of each workspace that are read again. */
const REPORTS = 40;
/** Below what a Lite key may ask in a second. */
const PAUSE_MS = 130;

export const releasedVersions = (): string[] =>
  fs
    .readdirSync(RELEASES, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));

/** Reads Reports of every workspace again: each is byte for byte what the release answered. */
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
 * The database of a release, which this version has not migrated: backed up, destroyed, restored, compared, and upgraded
 * by a start.
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
    step(`upgraded: ${count} Reports are byte for byte what ${version} answered`);
  } finally {
    await service.stop();
  }
}
