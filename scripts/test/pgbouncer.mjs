import { findProgram, onPath } from "./find-program.mjs";

/** The pooler for tests: PGBOUNCER, else the system's PgBouncer. */
export const findPgBouncer = () =>
  findProgram({
    title: "PgBouncer",
    purpose: "A test through a pooler",
    variable: "PGBOUNCER",
    debianPackage: "pgbouncer",
    elsewhere: "brew install pgbouncer",
    candidates: () => [...onPath(["pgbouncer"]), "/usr/sbin/pgbouncer", "/opt/homebrew/bin/pgbouncer"],
  });
