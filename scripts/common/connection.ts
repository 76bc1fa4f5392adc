import postgres from "postgres";

/** A single connection for the statements of a script. */
export const connectTo = (url: string) => postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });

/** Runs `work` on a connection of its own. */
export async function onConnection<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = connectTo(url);
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Runs statements on a connection of their own; returns the rows of the only one. */
export const query = (url: string, text: string): Promise<Record<string, unknown>[]> =>
  onConnection(url, async (sql) => await sql.unsafe(text));
