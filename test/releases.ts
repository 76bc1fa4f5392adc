import { randomBytes } from "node:crypto";

import { createDatabase } from "./database";
import { type Expected, loadRelease } from "@/db/releases/load-release";

export { type Expected, RELEASES, type Returning } from "@/db/releases/load-release";

/** Creates a copy of a release's database, as if it had just been created; dropped when the test file ends. */
export async function createReleaseDatabase(version: string): Promise<{ url: string; expected: Expected }> {
  const url = await createDatabase(`release_${randomBytes(8).toString("hex")}`);
  return { url, expected: await loadRelease(url, version) };
}
