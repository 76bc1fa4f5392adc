import { join, resolve } from "node:path";

import { env } from "@/lib/platform/env";

export const MIGRATIONS = "db/migrations";
/** Beside this file in the build: each loads what its process needs. */
export const PROGRAMS = {
  server: join(import.meta.dirname, "server.mjs"),
  pages: join(import.meta.dirname, "pages.mjs"),
};
export const DRAIN_MS = 25_000;

/** Made with the build, so that no start has to. */
export const ASN_TABLE = join(import.meta.dirname, "asn.bin");
export const dataDir = resolve(env.DATA_DIR);
export const isDevelopment = process.argv.includes("--dev");
