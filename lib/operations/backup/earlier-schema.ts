import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { migrateDatabase } from "@/db/migrate";

type Journal = { entries: { idx: number; tag: string; when: number }[] };

/** Applies only the first `count` migrations to an empty database, which gives the schema of an earlier release. */
export async function migrateTo(url: string, migrationsFolder: string, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "imprint-migrations-"));
  try {
    const text = await readFile(join(migrationsFolder, "meta/_journal.json"), "utf8");
    const journal = JSON.parse(text) as Journal; // safe: a file of this release
    const entries = journal.entries.slice(0, count);
    await mkdir(join(folder, "meta"));
    await writeFile(join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries) await cp(join(migrationsFolder, `${tag}.sql`), join(folder, `${tag}.sql`));
    await migrateDatabase(url, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
