import { join } from "node:path";

import { build } from "esbuild";

/**
 * Bundles a program of this folder that is started to be killed into one file with all packages, which makes it start
 * three times as fast.
 *
 * @param external packages that the program never loads and that cannot be bundled
 * @returns the file's path
 */
export async function bundleProgram(name: string, external: string[] = []): Promise<string> {
  const outfile = join(process.cwd(), `.test/faults/${name}.mjs`);
  await build({
    entryPoints: [`scripts/faults/${name}.ts`],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    alias: { "@": process.cwd() },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    external,
    minify: true,
    logLevel: "silent",
  });
  return outfile;
}
