import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/**
 * Build output folders: `.next` and `dist`, or `next` and `dist` inside `IMPRINT_BUILD_DIR`, which tests set so that
 * they never touch the build of a running service.
 */
export function buildLayout() {
  const given = process.env["IMPRINT_BUILD_DIR"];
  const bundles = path.join(ROOT, given ?? "", "dist");
  return {
    pages: path.join(ROOT, given ? path.join(given, "next") : ".next"),
    bundles,
    server: path.join(bundles, "server.mjs"),
    admin: path.join(bundles, "admin.mjs"),
    ipUpdate: path.join(bundles, "ip-update.mjs"),
  };
}
