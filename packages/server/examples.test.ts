import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { installServerPackage } from "@/scripts/server-package/install.mjs";

const ACTIONS = join(import.meta.dirname, "../../examples/actions");

test("the samples for each action decide as their own tests say, with the package as it is published", async () => {
  const folder = await mkdtemp(join(tmpdir(), "imprint-actions-"));
  try {
    await Promise.all([cp(ACTIONS, folder, { recursive: true }), installServerPackage(folder)]);
    const run = promisify(execFile)(process.execPath, ["--test", "--test-reporter=tap", "actions.test.mjs"], {
      cwd: folder,
    });
    expect((await run).stdout).toMatch(/^# pass 4$/m);
  } finally {
    await rm(folder, { recursive: true });
  }
});
