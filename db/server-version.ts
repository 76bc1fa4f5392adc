/** The first major version with `unique nulls not distinct`, which the usage counters require. */
const MIN_MAJOR = 15;

/** Why a server is not supported, by its `server_version_num` and `server_version`; undefined if it is. */
export function versionRefusal({ number, version }: { number: number; version: string }): string | undefined {
  if (Math.floor(number / 10_000) >= MIN_MAJOR) return undefined;
  return `PostgreSQL ${version} is too old: Imprint needs ${MIN_MAJOR} or newer, for unique constraints in which nulls are equal (nulls not distinct). Upgrade the server, or leave DATABASE_URL out to use the embedded one.`;
}
