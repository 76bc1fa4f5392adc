import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Progress } from "./progress";

export const SILENT: Progress = { at: () => undefined, done: () => undefined, end: () => undefined };

/** Creates a folder of migrations. */
export function makeMigrations(...statements: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "imprint-backup-test-"));
  mkdirSync(join(folder, "meta"));
  const entries = statements.map((text, idx) => {
    const tag = `${String(idx).padStart(4, "0")}_test`;
    writeFileSync(join(folder, `${tag}.sql`), text);
    // Later than those of any release, in order.
    return { idx, version: "7", when: 4_000_000_000_000 + idx, tag, breakpoints: true };
  });
  writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ version: "7", dialect: "postgresql", entries }));
  return folder;
}

export const digestOf = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
