import { join, resolve } from "node:path";

import { env } from "@/lib/platform/env";

export const MIGRATIONS = "db/migrations";
export const DRAIN_MS = 25_000;

/** Made with the build, so that no start has to. */
export const ASN_TABLE = join(import.meta.dirname, "asn.bin");
export const dataDir = resolve(env.DATA_DIR);
export const isDevelopment = process.argv.includes("--dev");
