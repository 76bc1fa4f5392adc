import { join } from "node:path";

import { build } from "esbuild";

import { ROOT } from "../build/layout.mjs";

/**
 * What composes submissions, for scripts that run without a TypeScript loader and visit without a browser.
 *
 * @returns {Promise<typeof import("../../lib/contract/challenge-proof")>}
 */
export async function loadProof() {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "lib/contract/challenge-proof.ts")],
    bundle: true,
    write: false,
    format: "esm",
    target: "node20.19",
    logLevel: "warning",
  });
  return await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
