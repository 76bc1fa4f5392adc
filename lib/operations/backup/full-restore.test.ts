import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { migrateDatabase } from "@/db/migrate";
import { asAdministrator, createDatabase } from "@/test/database";
import { restoreBackup } from "./restore-backup";
import { query } from "@/scripts/common/connection";
import { makeMigrations, SILENT } from "./testing";
import { writeBackup } from "./write-backup";

/** Stands for a full disk: the server refuses the rows of one table with the code of that failure. */
const tableOf = (name: string) => `
create function ${name}_has_room() returns boolean language plpgsql as $$ begin
  if current_setting('test.refused', true) = '${name}' then
    raise exception 'could not extend file' using errcode = '53100';
  end if;
  return true;
end $$;
--> statement-breakpoint
create table ${name} (id int primary key, body text, check (${name}_has_room()));`;

const SECRETS = { AUTH_SECRET: "a".repeat(32), KEY_PEPPER: "k1:AAAA", KEKS: "k1:BBBB" };
const folder = mkdtempSync(join(tmpdir(), "imprint-full-restore-"));
const file = join(folder, "a.backup");
const migrationsFolder = makeMigrations(["small", "large"].map(tableOf).join("\n--> statement-breakpoint\n"));
const newDatabase = () => createDatabase(`restore_${randomBytes(8).toString("hex")}`);
let stored = 0;

const restore = (databaseUrl: string, databaseFolder?: string) =>
  restoreBackup({
    file,
    unlock: {},
    progress: SILENT,
    databaseUrl,
    migrationsFolder,
    checkSecrets: () => undefined,
    storeSecrets: () => (stored += 1),
    ...(databaseFolder === undefined ? {} : { databaseFolder }),
  });

beforeAll(async () => {
  const databaseUrl = await newDatabase();
  await migrateDatabase(databaseUrl, migrationsFolder);
  await query(databaseUrl, "insert into small select n from generate_series(1, 300) n");
  await query(databaseUrl, "insert into large select n, repeat(md5(n::text), 2000) from generate_series(1, 60) n");
  const encryption = { kind: "none" } as const;
  await writeBackup({
    databaseUrl,
    file,
    version: "1",
    migrationsFolder,
    secrets: SECRETS,
    encryption,
    progress: SILENT,
  });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each([
  ["small", "after the last of them was sent"],
  ["large", "while they are being sent"],
])(
  "a disk without room for rows, noticed (%s table) %s, is named with what to do, and the next attempt succeeds",
  async (table) => {
    const url = await newDatabase();
    const refuse = (name: string) =>
      asAdministrator(`alter database ${new URL(url).pathname.slice(1)} set test.refused = '${name}'`);
    await refuse(table);
    const storedBefore = stored;
    await expect(restore(url)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(
        /^The disk of the database is full \(53100\): nothing was restored\. The tables took \d\S* [kM]B .* and restore again\.$/,
      ) as string,
    });
    await expect(restore(url, "/data/postgres")).rejects.toThrow("Remove /data/postgres first");
    expect(stored).toBe(storedBefore);
    expect(await query(url, "select count(*)::int as rows from small")).toEqual([{ rows: 0 }]);
    await refuse("");
    await restore(url);
    expect(await query(url, "select count(*)::int as rows from large")).toEqual([{ rows: 60 }]);
  },
);
