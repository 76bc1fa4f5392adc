/**
 * `npm run component:release`: keeps the files of the component's current version for good, under `releases/component`,
 * and what they submit in a real Chromium, under `lib/visits/submissions/released`.
 * A version that is released already is refused unless the sources still give the same files.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { bundleComponent } from "./component/bundle.mjs";
import { recordSubmission } from "./component/record.mjs";
import {
  integrityOf,
  readRelease,
  readReleases,
  releaseFolder,
  RELEASES_FILE,
  requireSame,
} from "./component/releases.mjs";

async function main() {
  const [releases, { version, versioned }] = await Promise.all([readReleases(), bundleComponent()]);
  const known = releases.find((release) => release.version === version);
  if (known) {
    requireSame(version, await readRelease(known), versioned);
    return `Browser component ${version} is released already, and its sources have not changed`;
  }
  await mkdir(releaseFolder(version), { recursive: true });
  for (const [name, bytes] of Object.entries(versioned)) await writeFile(join(releaseFolder(version), name), bytes);
  await recordSubmission(version);
  const files = Object.fromEntries(Object.entries(versioned).map(([name, bytes]) => [name, integrityOf(bytes)]));
  await writeFile(RELEASES_FILE, `${JSON.stringify([...releases, { version, files }], null, 2)}\n`);
  return `Browser component ${version} is released: commit releases/component and lib/visits/submissions/released`;
}

try {
  console.log(await main());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
