import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { build } from "esbuild";
import { minify } from "terser";
import ts from "typescript";

import { ROOT } from "../build/layout.mjs";
import { packArchive } from "./archive.mjs";

const SOURCES = join(ROOT, "lib/component");
const PACKAGE_NAME = "imprint-browser";

/** Package formats by script extension; declarations have corresponding extensions. */
const FORMATS = /** @type {const} */ ({
  ".mjs": { format: "esm", types: ".d.ts", imports: "./imprint.js" },
  ".cjs": { format: "cjs", types: ".d.cts", imports: "./imprint.cjs" },
});

/**
 * A run calls nearly every function: Chromium, from 136 on, compiles them all when it loads the file, instead of reading
 * each twice and compiling it during the run.
 */
const COMPILE_HINT = "//# allFunctionsCalledOnLoad";

/** @typedef {keyof typeof FORMATS} Ending */
/** @typedef {{ code: Buffer, map: Buffer }} Script */

/**
 * Makes the React entry import the client from the other file instead of containing a copy.
 *
 * @param {Ending} ending
 * @returns {import("esbuild").Plugin}
 */
const sharedClient = (ending) => ({
  name: "shared-client",
  setup: (build) => {
    build.onResolve({ filter: /^\.\/entry-package$/ }, () => ({ path: `./imprint${ending}`, external: true }));
  },
});

/**
 * Bundles a script and its source map. The map contains the sources and is stored next to the script, which does not
 * reference it.
 *
 * @param {string} entry @param {import("esbuild").Format} format @param {import("esbuild").Plugin[]} [plugins]
 * @returns {Promise<Script>}
 */
const bundle = async (entry, format, plugins = []) => {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(SOURCES, entry)],
    outdir: ROOT,
    bundle: true,
    // terser names the variables: by how often each is used, in what it has made shorter.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: "external",
    write: false,
    format,
    target: "es2020",
    legalComments: "none",
    alias: { "@": ROOT },
    external: ["react"],
    plugins,
    // ES modules are strict anyway; the classic script does not depend on strict mode, and the directive costs bytes.
    tsconfigRaw: { compilerOptions: { alwaysStrict: false } },
    logLevel: "warning",
  });
  const [map, code] = ["map", "js"].map((ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "");
  const shorter = await minify(code ?? "", {
    module: format === "esm",
    compress: { ecma: 2020, passes: 4 },
    format: { preamble: COMPILE_HINT },
    sourceMap: { content: map ?? "", includeSources: true, asObject: true },
  });
  return { code: Buffer.from(shorter.code ?? ""), map: Buffer.from(JSON.stringify(shorter.map)) };
};

/**
 * Tells bundlers to leave dynamic imports alone: a copy inside a site's own bundle still loads the probe from the
 * service.
 *
 * @param {Script} script
 */
const leaveImports = ({ code }) =>
  Buffer.from(code.toString().replaceAll("import(", "import(/* webpackIgnore: true */ /* @vite-ignore */ "));

/** @param {string} file */
const declarationsOf = async (file) => {
  const source = await readFile(join(SOURCES, file), "utf8");
  const { outputText, diagnostics } = ts.transpileDeclaration(source, { fileName: file, reportDiagnostics: true });
  if (diagnostics?.length) throw new Error(`${file} needs explicit types on its exports to be published.`);
  return outputText;
};

/** Types of `imprint.mjs`, and of the global defined by the script tag. */
const mainDeclarations = async () => `${await declarationsOf("api.ts")}
/** Checks the options at once. Throws an \`ImprintError\` with code \`invalid_config\`. */
export declare const createImprint: (options: ImprintOptions) => ImprintClient;
/** Recognises the errors that \`run()\` rejects with. */
export declare const isImprintError: (error: unknown) => error is ImprintError;
export as namespace Imprint;
`;

/**
 * Import paths use the script's name: `imprint.d.ts` is found as `./imprint.js`.
 *
 * @param {Ending} ending
 */
const reactDeclarations = async (ending) =>
  (await declarationsOf("react.ts")).replaceAll('"./api"', `"${FORMATS[ending].imports}"`);

/** @param {string} name */
const exportOf = (name) => ({
  import: { types: `./${name}.d.ts`, default: `./${name}.mjs` },
  require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
});

/** For resolvers without `exports` support, such as `moduleResolution` node10, which look for a folder of that name. */
const reactManifest = {
  main: "../imprint-react.cjs",
  module: "../imprint-react.mjs",
  types: "../imprint-react.d.ts",
};

/** @param {string} version @param {string} license */
const packageManifest = (version, license) => ({
  name: PACKAGE_NAME,
  version,
  description: "Browser component of Imprint: run() resolves to the imprint of this visit",
  license,
  type: "module",
  sideEffects: ["./imprint.js"],
  main: "./imprint.cjs",
  module: "./imprint.mjs",
  types: "./imprint.d.ts",
  unpkg: "./imprint.js",
  exports: {
    ".": exportOf("imprint"),
    "./react": exportOf("imprint-react"),
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
 * The package's scripts in each format.
 *
 * @returns {Promise<Record<string, Buffer>>}
 */
const packagedScripts = async () => {
  const endings = /** @type {Ending[]} */ (Object.keys(FORMATS));
  const scripts = await Promise.all(
    endings.map(async (ending) => {
      const { format } = FORMATS[ending];
      const [main, react] = await Promise.all([
        bundle("entry-package.ts", format),
        bundle("react.ts", format, [sharedClient(ending)]),
      ]);
      return { [`imprint${ending}`]: leaveImports(main), [`imprint-react${ending}`]: react.code };
    }),
  );
  return Object.fromEntries(scripts.flatMap((each) => Object.entries(each)));
};

/**
 * Builds the component from its sources, reproducibly: nothing depends on the clock, the machine or the folder, except
 * that the archive's compression depends on Node's zlib.
 *
 * @param {string} [asVersion] overrides the version in the sources
 * @returns {Promise<{ version: string, files: Record<string, Buffer>, versioned: Record<string, Buffer> }>} `files`
 * under names that move with each release, `versioned` under names that are permanent
 */
export async function bundleComponent(asVersion) {
  const version = asVersion ?? (await readJson(join(SOURCES, "component.json"))).version;
  const { license } = await readJson(join(ROOT, "package.json"));
  const [script, module, probe, types, reactTypes] = await Promise.all([
    bundle("entry-script.ts", "iife"),
    bundle("entry-module.ts", "esm"),
    bundle("probe.ts", "esm"),
    mainDeclarations(),
    reactDeclarations(".mjs"),
  ]);
  const packaged = await packagedScripts();
  const archive = await packArchive({
    "package.json": json(packageManifest(version, license)),
    "README.md": packageReadme,
    "imprint.d.ts": types,
    "imprint.d.cts": types,
    "imprint.js": script.code,
    "imprint-react.d.ts": reactTypes,
    "imprint-react.d.cts": await reactDeclarations(".cjs"),
    "react/package.json": json(reactManifest),
    ...packaged,
  });
  return {
    version,
    files: {
      "imprint.js": script.code,
      "imprint.js.map": script.map,
      "imprint.mjs": module.code,
      "imprint.mjs.map": module.map,
      "imprint.d.ts": Buffer.from(types),
      "imprint-react.mjs": packaged["imprint-react.mjs"] ?? Buffer.of(),
      "imprint-react.d.ts": Buffer.from(reactTypes),
      "probe.mjs": probe.code,
    },
    versioned: {
      [`imprint-${version}.js`]: script.code,
      [`imprint-${version}.js.map`]: script.map,
      [`imprint-${version}.mjs`]: module.code,
      [`imprint-${version}.mjs.map`]: module.map,
      [`imprint-${version}.d.ts`]: Buffer.from(types),
      [`imprint-${version}.tgz`]: archive,
    },
  };
}
