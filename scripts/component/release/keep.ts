import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import {
  integrityOf,
  type Line,
  readRelease,
  readReleases,
  releaseFolder,
  releasesFile,
  requireSame,
} from "../releases.mjs";

type Bundle = { version: string; versioned: Record<string, Buffer> };

/**
 * Stores the files of a version permanently, unless it is already released.
 *
 * @param record stores anything else that belongs to the release; runs before the release is listed
 * @returns whether it is a new release
 * @throws Error if the version was released with different files
 */
export async function keepRelease(
  line: Line,
  { version, versioned }: Bundle,
  record?: () => Promise<void>,
): Promise<boolean> {
  const releases = await readReleases(line);
  const known = releases.find((each) => each.version === version);
  if (known) {
    requireSame(await readRelease(known, line), versioned, line);
    return false;
  }
  const folder = releaseFolder(version, line);
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(versioned)) await writeFile(join(folder, name), bytes);
  await record?.();
  const files = Object.fromEntries(Object.entries(versioned).map(([name, bytes]) => [name, integrityOf(bytes)]));
  await writeFile(releasesFile(line), `${JSON.stringify([...releases, { version, files }], null, 2)}\n`);
  return true;
}
