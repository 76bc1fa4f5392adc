import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { expect, test } from "vitest";

import journal from "../migrations/meta/_journal.json";
import released from "@/releases/database/migrations.json";
import { RELEASES } from "./load-release";

const MIGRATIONS = join(import.meta.dirname, "../migrations");
const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

test.each(released)("migration $migration is unchanged since $release; changes need a new file", (migration) => {
  expect(digest(join(MIGRATIONS, `${migration.migration}.sql`))).toBe(migration.sha256);
});

test("released migrations come first, in their released order and with their released timestamps", () => {
  const entries = journal.entries.map(({ tag, when }) => ({ migration: tag, when }));
  const expected = released.map(({ migration, when }) => ({ migration, when }));
  expect(entries.slice(0, released.length)).toEqual(expected);
  expect(entries.map(({ when }) => when)).toEqual(entries.map(({ when }) => when).sort((a, b) => a - b));
});

test.each([...new Set(released.map(({ release }) => release))])(
  "the stored database of %s was made by its released migrations",
  (release) => {
    const file = join(RELEASES, release, "database.sql.gz");
    expect(existsSync(file)).toBe(true);
    const dump = gunzipSync(readFileSync(file)).toString("utf8");
    const applied = /COPY drizzle\.__drizzle_migrations .*\n([\s\S]*?)\n\\\.\n/.exec(dump)?.[1]?.split("\n") ?? [];
    const made = applied.map((row) => row.split("\t").slice(1));
    const last = released.findLastIndex((migration) => migration.release === release);
    expect(made).toEqual(released.slice(0, last + 1).map(({ sha256, when }) => [sha256, String(when)]));
  },
);
