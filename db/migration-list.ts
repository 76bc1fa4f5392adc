import { readFileSync } from "node:fs";
import { join } from "node:path";

import { readMigrationFiles } from "drizzle-orm/migrator";

export type Migration = {
  /** File name without extension. */
  name: string;
  statements: string[];
  /** Creation time in milliseconds; databases identify the migration by it. */
  when: number;
  hash: string;
};

type Journal = { entries: { tag: string; when: number }[] };

/** The migrations of this version, in order. */
export function listMigrations(folder: string): Migration[] {
  const text = readFileSync(join(folder, "meta/_journal.json"), "utf8");
  const { entries } = JSON.parse(text) as Journal; // safe: written by drizzle-kit
  const names = new Map(entries.map(({ tag, when }) => [when, tag]));
  return readMigrationFiles({ migrationsFolder: folder }).map(({ sql, folderMillis, hash }) => ({
    name: names.get(folderMillis) ?? String(folderMillis),
    statements: sql,
    when: folderMillis,
    hash,
  }));
}

/**
 * Migrations that the previous release cannot run with, and why. They are refused while an older service uses the
 * database. All others are compatible with it, so replicas can be upgraded one at a time.
 */
export const STOP_FIRST: Readonly<Record<string, string>> = {
  "0003_drop_device_keys": "it drops tables that version 0.1.0 reads for each visit",
};
