import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { build } from "esbuild";
import ts from "typescript";

import { ROOT } from "../build/layout.mjs";
import { packArchive } from "./archive.mjs";

const SOURCES = join(ROOT, "lib/component");
const PACKAGE_NAME = "imprint-browser";

/** React's entry shares the client with the other module file instead of holding a copy. @type {import("esbuild").Plugin} */
const sharedClient = {
  name: "shared-client",
  setup: (build) => {
    build.onResolve({ filter: /^\.\/entry-package$/ }, () => ({ path: "./imprint.mjs", external: true }));
  },
};

/** @param {string} entry @param {import("esbuild").Format} format @param {import("esbuild").Plugin[]} [plugins] */
const bundle = async (entry, format, plugins = []) => {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(SOURCES, entry)],
    bundle: true,
    minify: true,
    write: false,
    format,
    target: "es2020",
    legalComments: "none",
    alias: { "@": ROOT },
    external: ["react"],
    plugins,
    // Module files are strict anyway; in the script file nothing depends on it, and the directive costs bytes.
    tsconfigRaw: { compilerOptions: { alwaysStrict: false } },
    logLevel: "warning",
  });
  return Buffer.from(result.outputFiles[0]?.contents ?? "");
};

/** A copy inside a site's own bundle still loads the probe from the service: bundlers must leave that import alone. @param {Buffer} bytes */
const leaveImports = (bytes) =>
  Buffer.from(bytes.toString().replaceAll("import(`", "import(/* webpackIgnore: true */ /* @vite-ignore */ `"));

/** @param {string} file */
const declarationsOf = async (file) => {
  const source = await readFile(join(SOURCES, file), "utf8");
  const { outputText, diagnostics } = ts.transpileDeclaration(source, { fileName: file, reportDiagnostics: true });
  if (diagnostics?.length) throw new Error(`${file} needs explicit types on its exports to be published.`);
  return outputText;
};

/** Types of `imprint.mjs`, and of the global that the script tag defines. */
const mainDeclarations = async () => `${await declarationsOf("api.ts")}
/** Checks the options at once. Throws an \`ImprintError\` with code \`invalid_config\`. */
export declare const createImprint: (options: ImprintOptions) => ImprintClient;
/** Recognises the errors that \`run()\` rejects with. */
export declare const isImprintError: (error: unknown) => error is ImprintError;
export as namespace Imprint;
`;

/** A declaration file is found under the name of its script: `imprint.d.ts` as `./imprint.js`. */
const reactDeclarations = async () => (await declarationsOf("react.ts")).replaceAll('"./api"', '"./imprint.js"');

/** @param {string} version @param {string} license */
const packageManifest = (version, license) => ({
  name: PACKAGE_NAME,
  version,
  description: "Browser component of Imprint: run() resolves to the imprint of this visit",
  license,
  type: "module",
  sideEffects: ["./imprint.js"],
  main: "./imprint.mjs",
  module: "./imprint.mjs",
  types: "./imprint.d.ts",
  unpkg: "./imprint.js",
  exports: {
    ".": { types: "./imprint.d.ts", default: "./imprint.mjs" },
    "./react": { types: "./imprint-react.d.ts", default: "./imprint-react.mjs" },
    "./imprint.js": "./imprint.js",
    "./package.json": "./package.json",
  },
  peerDependencies: { react: ">=18" },
  peerDependenciesMeta: { react: { optional: true } },
});

const packageReadme = `# ${PACKAGE_NAME}

\`\`\`js
import { createImprint } from "${PACKAGE_NAME}";

const client = createImprint({ environmentId: "env_...", endpoint: "https://imprint.example.com" });
const { imprint } = await client.run({ surface: "sign-in" });
\`\`\`

Send \`imprint\` to your own server and read the Report there. For React: \`import { useImprint } from "${PACKAGE_NAME}/react"\`.
The documentation of your Imprint service has the details.
`;

const readJson = async (/** @type {string} */ file) =>
  /** @type {{ version: string, license: string }} */ (JSON.parse(await readFile(file, "utf8")));
const json = (/** @type {unknown} */ value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/**
 * Builds the component from its sources. The same sources give the same bytes: nothing here depends on the clock, the
 * machine or the folder; but how the archive is compressed is up to the zlib of Node.
 *
 * @param {string} [asVersion] in place of the version that the sources have
 * @returns {Promise<{ version: string, files: Record<string, Buffer>, versioned: Record<string, Buffer> }>} the files
 *   under the names that move with each release, and under those that are its own for good
 */
export async function bundleComponent(asVersion) {
  const version = asVersion ?? (await readJson(join(SOURCES, "component.json"))).version;
  const { license } = await readJson(join(ROOT, "package.json"));
  const [script, module, packaged, react, probe, types, reactTypes] = await Promise.all([
    bundle("entry-script.ts", "iife"),
    bundle("entry-module.ts", "esm"),
    bundle("entry-package.ts", "esm").then(leaveImports),
    bundle("react.ts", "esm", [sharedClient]),
    bundle("probe.ts", "esm"),
    mainDeclarations(),
    reactDeclarations(),
  ]);
  const archive = await packArchive({
    "package.json": json(packageManifest(version, license)),
    "README.md": packageReadme,
    "imprint.d.ts": types,
    "imprint.js": script,
    "imprint.mjs": packaged,
    "imprint-react.d.ts": reactTypes,
    "imprint-react.mjs": react,
  });
  return {
    version,
    files: {
      "imprint.js": script,
      "imprint.mjs": module,
      "imprint.d.ts": Buffer.from(types),
      "imprint-react.mjs": react,
      "imprint-react.d.ts": Buffer.from(reactTypes),
      "probe.mjs": probe,
    },
    versioned: {
      [`imprint-${version}.js`]: script,
      [`imprint-${version}.mjs`]: module,
      [`imprint-${version}.d.ts`]: Buffer.from(types),
      [`imprint-${version}.tgz`]: archive,
    },
  };
}
