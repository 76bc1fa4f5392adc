import path from "node:path";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";

import { writeOutputs } from "./bundles.mjs";
import { ROOT } from "./layout.mjs";

/**
 * Renders the documentation and code samples at build time: highlighting costs a hundred times as much as sending, on
 * the event loop that also serves Report reads.
 *
 * @param {string} folder
 */
export async function buildDocuments(folder) {
  const program = path.join(folder, "render.mjs");
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["scripts/build/documents/render.tsx"],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    packages: "external",
    alias: { "@": ROOT },
    jsx: "automatic",
    logLevel: "silent",
  });
  const { renderDocuments } = /** @type {typeof import("./documents/render")} */ (
    await import(`${pathToFileURL(program).href}?${Date.now()}`)
  );
  const contents = new TextEncoder().encode(JSON.stringify(await renderDocuments()));
  writeOutputs([{ path: path.join(folder, "documents.json"), contents, hash: "", text: "" }]);
}
