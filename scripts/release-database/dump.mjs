import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { constants, gzipSync } from "node:zlib";

const MOST_BYTES = 512 * 1024 * 1024;

/**
 * The embedded database of a data directory as SQL, gzipped; it may be in use.
 *
 * @param {{ programs: string, dataDir: string }} of
 */
export async function dumpDatabase({ programs, dataDir }) {
  const { port, password } = JSON.parse(fs.readFileSync(path.join(dataDir, "conn.json"), "utf8"));
  const options = ["--no-owner", "--no-privileges", "--host=127.0.0.1", `--port=${port}`, "--username=imprint"];
  const { stdout } = await promisify(execFile)(path.join(programs, "pg_dump"), [...options, "imprint"], {
    env: { ...process.env, PGPASSWORD: password },
    maxBuffer: MOST_BYTES,
    encoding: "utf8",
  });
  return gzipSync(stdout, { level: constants.Z_BEST_COMPRESSION });
}
