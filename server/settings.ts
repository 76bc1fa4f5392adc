import { join, resolve } from "node:path";

import { env } from "@/lib/platform/env";

export const MIGRATIONS = "db/migrations";
/** Bundles next to this file in the build; each process loads only its own. */
export const PROGRAMS = {
  server: join(import.meta.dirname, "server.mjs"),
  pages: join(import.meta.dirname, "pages.mjs"),
};
export const DRAIN_MS = 25_000;

/** Created by the build, so that no startup has to. */
export const ASN_TABLE = join(import.meta.dirname, "asn.bin");
export const dataDir = resolve(env.DATA_DIR);
export const isDevelopment = process.argv.includes("--dev");
