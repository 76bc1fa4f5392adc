import path from "node:path";

import { findProgram } from "./find-program.mjs";

const NAMES = ["redis-server", "valkey-server"];

const fromPath = () =>
  [...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].flatMap(
    (folder) => NAMES.map((name) => path.join(folder, name)),
  );

/** The server for the tests of `REDIS_URL`: REDIS_SERVER, else the system's Redis or Valkey. */
export const findRedis = () =>
  findProgram({
    title: "Redis",
    purpose: "A test of REDIS_URL",
    variable: "REDIS_SERVER",
    debianPackage: "redis-server",
    elsewhere: "brew install redis",
    candidates: fromPath,
  });
