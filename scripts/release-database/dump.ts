import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { constants, gzipSync } from "node:zlib";

import { embeddedDatabaseUrl } from "../common/embedded-database";

const MAX_BYTES = 512 * 1024 * 1024;

type Source = { programs: string; dataDir: string };

/** Dumps the embedded database of a data directory as gzipped SQL; it may be in use. */
export async function dumpDatabase({ programs, dataDir }: Source): Promise<Buffer> {
  const options = ["--no-owner", "--no-privileges", `--dbname=${embeddedDatabaseUrl(dataDir)}`];
  const { stdout } = await promisify(execFile)(path.join(programs, "pg_dump"), options, {
    maxBuffer: MAX_BYTES,
    encoding: "utf8",
  });
  return gzipSync(stdout, { level: constants.Z_BEST_COMPRESSION });
}
