import { readFileSync } from "node:fs";
import { join } from "node:path";

import { readMigrationFiles } from "drizzle-orm/migrator";

export type Migration = {
  /** The file, without its ending. */
  name: string;
  statements: string[];
  /** Time in milliseconds under which databases know it. */
  when: number;
  hash: string;
};

type Journal = { entries: { tag: string; when: number }[] };

/** The migrations of this version, in their order. */
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
 * Migrations that the code of the previous release does not work with, and why: they are refused while an older service
 * uses the database. All others work beneath it, so that replicas can be upgraded one after another.
 */
export const STOP_FIRST: Readonly<Record<string, string>> = {
  "0003_drop_device_keys": "it drops tables that version 0.1.0 reads for each visit",
};
