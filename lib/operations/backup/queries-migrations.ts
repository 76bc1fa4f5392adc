import { readMigrationFiles } from "drizzle-orm/migrator";

/** The migrations of this release, in order. */
export const readMigrations = (migrationsFolder: string): { at: number; hash: string }[] =>
  readMigrationFiles({ migrationsFolder }).map(({ folderMillis, hash }) => ({ at: folderMillis, hash }));
