import fs from "node:fs";
import path from "node:path";

import postgres from "postgres";

/** Address of the embedded database, as the files of the data directory give it to their owner. */
export function embeddedDatabaseUrl(dataDir: string): string {
  const text = fs.readFileSync(path.join(dataDir, "conn.json"), "utf8");
  const { port, servicePassword } = JSON.parse(text) as { port: number; servicePassword: string }; // safe: the service wrote it
  return `postgres://imprint_service:${servicePassword}@127.0.0.1:${port}/imprint`;
}

/** One connection to the embedded database of a data directory. */
export const connectDatabase = (dataDir: string) =>
  postgres(embeddedDatabaseUrl(dataDir), { max: 1, fetch_types: false, onnotice: () => undefined });
