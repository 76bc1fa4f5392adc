import { readMigrationFiles } from "drizzle-orm/migrator";

/** The migrations of this release, in order. */
export const readMigrations = (migrationsFolder: string): { at: number; hash: string }[] =>
  readMigrationFiles({ migrationsFolder }).map(({ folderMillis, hash }) => ({ at: folderMillis, hash }));

const CREATED = /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:"?public"?\.)?"?([a-z0-9_]+)"?/gi;
const RENAMED = /\balter\s+table\s+(?:"?public"?\.)?"?[a-z0-9_]+"?\s+rename\s+to\s+"?([a-z0-9_]+)"?/gi;

/** Tables created by migrations, which a restore can create again. Operators may have added others. */
export function listOwnTables(migrationsFolder: string): Set<string> {
  const text = readMigrationFiles({ migrationsFolder })
    .flatMap(({ sql }) => sql)
    .join("\n");
  return new Set(
    [CREATED, RENAMED].flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => `public.${name}`)),
  );
}
