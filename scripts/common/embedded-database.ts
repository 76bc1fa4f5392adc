import fs from "node:fs";
import path from "node:path";

/**
 * Address of the embedded database, as the files of the data directory give it to their owner.
 *
 * @param {string} dataDir
 */
export function embeddedDatabaseUrl(dataDir) {
  const { port, servicePassword } = JSON.parse(fs.readFileSync(path.join(dataDir, "conn.json"), "utf8"));
  return `postgres://imprint_service:${servicePassword}@127.0.0.1:${port}/imprint`;
}
