import postgres from "postgres";

/**
 * Describes the database that tests run on.
 *
 * @param {string} url
 * @returns {Promise<{ text: string, isCluster: boolean }>}
 */
export async function describeDatabase(url) {
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    prepare: false,
    connect_timeout: 10,
    onnotice: () => undefined,
  });
  try {
    const [row] = /** @type {{ version: string, citus: string | null }[]} */ (
      await sql`
      select current_setting('server_version') as version,
        (select extversion from pg_extension where extname = 'citus') as citus`
    );
    const { version, citus } = row ?? { version: "", citus: null };
    const isCluster = citus !== null;
    const nodes = isCluster ? await sql`select 1 from pg_dist_node where isactive` : [];
    const cluster = isCluster
      ? `, Citus ${citus} with ${nodes.length} servers`
      : ", without Citus: no test of a cluster";
    return { text: `PostgreSQL ${version}${cluster}`, isCluster };
  } finally {
    await sql.end({ timeout: 5 });
  }
}
