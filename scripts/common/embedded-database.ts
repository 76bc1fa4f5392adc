import fs from "node:fs";
import path from "node:path";

import postgres from "postgres";

/** URL of the embedded database, from the data directory's files, which only its owner can read. */
export function embeddedDatabaseUrl(dataDir: string): string {
  const text = fs.readFileSync(path.join(dataDir, "conn.json"), "utf8");
  const { port, servicePassword } = JSON.parse(text) as { port: number; servicePassword: string }; // safe: the service wrote it
  return `postgres://imprint_service:${servicePassword}@127.0.0.1:${port}/imprint`;
}

/** A single connection to a data directory's embedded database. */
export const connectDatabase = (dataDir: string) =>
  postgres(embeddedDatabaseUrl(dataDir), { max: 1, fetch_types: false, onnotice: () => undefined });
