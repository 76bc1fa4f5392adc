import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { runCommand } from "../../common/command";
import { bundleComponent } from "../bundle.mjs";
import { integrityOf, readRelease, readReleases, releaseFolder, RELEASES_FILE, requireSame } from "../releases.mjs";
import { recordSubmission } from "./record";

async function release(): Promise<string> {
  const [releases, { version, versioned }] = await Promise.all([readReleases(), bundleComponent()]);
  const known = releases.find((each) => each.version === version);
  if (known) {
    requireSame(await readRelease(known), versioned);
    return `Browser component ${version} is released already, and its sources have not changed`;
  }
  await mkdir(releaseFolder(version), { recursive: true });
  for (const [name, bytes] of Object.entries(versioned)) await writeFile(join(releaseFolder(version), name), bytes);
  await recordSubmission(version);
  const files = Object.fromEntries(Object.entries(versioned).map(([name, bytes]) => [name, integrityOf(bytes)]));
  await writeFile(RELEASES_FILE, `${JSON.stringify([...releases, { version, files }], null, 2)}\n`);
  return `Browser component ${version} is released: commit releases/component and lib/visits/submissions/released`;
}

await runCommand({
  name: "component:release",
  about:
    "Keeps the files of the component's current version for good, under releases/component, and what they submit in a real Chromium, under lib/visits/submissions/released. A version that is released already is refused unless the sources still give the same files.",
  options: {},
  async run() {
    console.log(await release());
    return 0;
  },
});
