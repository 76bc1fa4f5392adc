import fs from "node:fs";
import path from "node:path";

import type postgres from "postgres";

import { onConnection } from "./connection";

/** URL of the embedded database, from the data directory's files, which only its owner can read. */
export function embeddedDatabaseUrl(dataDir: string): string {
  const text = fs.readFileSync(path.join(dataDir, "conn.json"), "utf8");
  const { port, servicePassword } = JSON.parse(text) as { port: number; servicePassword: string }; // safe: the service wrote it
  return `postgres://imprint_service:${servicePassword}@127.0.0.1:${port}/imprint`;
}

/** Runs `work` on a connection to a data directory's embedded database. */
export const onDatabase = <T>(dataDir: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> =>
  onConnection(embeddedDatabaseUrl(dataDir), work);
