import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";

import { build } from "esbuild";
import ts from "typescript";

import { ROOT } from "../build/layout.mjs";
import { packArchive } from "../component/archive.mjs";

const SOURCES = join(ROOT, "packages/server");
const PACKAGE_NAME = "imprint-server";
const PYTHON_NAME = "imprint_server";
const MAIN = "index";
/** Entry points of the package: `imprint-server/NAME`, except for the main one. */
const ENTRIES = [MAIN];

/** Package formats by script extension; declarations have corresponding extensions. */
const FORMATS = /** @type {const} */ ({
  ".mjs": { format: "esm", types: ".d.mts" },
  ".js": { format: "cjs", types: ".d.ts" },
});

/** @typedef {keyof typeof FORMATS} Ending */

/**
 * Makes entries import the main file instead of containing copies.
 *
 * @param {Ending} ending
 * @returns {import("esbuild").Plugin}
 */
const sharedMain = (ending) => ({
  name: "shared-main",
  setup: (plugin) => {
    plugin.onResolve({ filter: /^\.\/index$/ }, () => ({ path: `./${MAIN}${ending}`, external: true }));
  },
});

/** @param {Ending} ending @returns {Promise<[name: string, content: Buffer][]>} */
async function scriptsOf(ending) {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES.map((name) => join(SOURCES, `${name}.ts`)),
    outdir: SOURCES,
    outExtension: { ".js": ending },
    bundle: true,
    write: false,
    format: FORMATS[ending].format,
    // The oldest target that Node 20, Bun, Deno and edge runtimes share; no Node built-ins are resolved.
    platform: "neutral",
    target: "es2022",
    legalComments: "none",
    charset: "utf8",
    alias: { "@": ROOT },
    plugins: [sharedMain(ending)],
    logLevel: "warning",
  });
  return outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]);
}

/** @param {string} file source of declarations, which may reference only other files of the package */
async function declarationsOf(file) {
  const source = await readFile(join(SOURCES, file), "utf8");
  const { outputText, diagnostics } = ts.transpileDeclaration(source, { fileName: file, reportDiagnostics: true });
  if (diagnostics?.length)
    throw new Error(`packages/server/${file} needs explicit types on its exports to be published.`);
  const [, foreign] = /(?:from|import\() ?"((?!\.\/)[^"]+)"/.exec(outputText) ?? [];
  if (foreign !== undefined)
    throw new Error(`packages/server/${file} publishes a type of ${foreign}, which a site does not have.`);
  return outputText;
}

/** Declarations that the entries reference, directly or indirectly; by module. */
async function reachedDeclarations() {
  /** @type {Map<string, string>} */
  const texts = new Map();
  const names = new Set(ENTRIES);
  // Also visits names added during the iteration.
  for (const name of names) {
    const text = await declarationsOf(`${name}.ts`);
    texts.set(name, text);
    for (const [, imported = ""] of text.matchAll(/(?:from|import\() ?"\.\/([\w-]+)"/g)) names.add(imported);
  }
  return texts;
}

/**
 * Declarations in both formats, with imports that use each format's script names.
 *
 * @returns {Promise<[name: string, content: Buffer][]>}
 */
async function declarations() {
  const texts = [...(await reachedDeclarations())];
  return Object.entries(FORMATS).flatMap(([ending, { types }]) =>
    texts.map(([name, text]) => [
      `${name}${types}`,
      Buffer.from(text.replaceAll(/((?:from|import\() ?"\.\/[\w-]+)"/g, `$1${ending}"`)),
    ]),
  );
}

/** @param {string} name */
const exportOf = (name) => ({
  import: { types: `./${name}.d.mts`, default: `./${name}.mjs` },
  require: { types: `./${name}.d.ts`, default: `./${name}.js` },
});

/** @param {string} version @param {string} license */
const packageManifest = (version, license) => ({
  name: PACKAGE_NAME,
  version,
  description: "Server side of Imprint: accepts the imprint of a visit and reads its Report",
  license,
  type: "commonjs",
  sideEffects: false,
  engines: { node: ">=20" },
  main: `./${MAIN}.js`,
  module: `./${MAIN}.mjs`,
  types: `./${MAIN}.d.ts`,
  exports: {
    ...Object.fromEntries(ENTRIES.map((name) => [name === MAIN ? "." : `./${name}`, exportOf(name)])),
    "./package.json": "./package.json",
  },
});

const packageReadme = `# ${PACKAGE_NAME}

\`\`\`js
import { createImprintServer } from "${PACKAGE_NAME}";

const imprint = createImprintServer({ endpoint: "https://imprint.example.com", apiKey: process.env.IMPRINT_KEY });

const visit = await imprint.acceptImprint(form.get("imprint"), { surface: "sign-in", origin: "https://shop.example" });
if (visit.accepted) console.log(visit.report.risk.status);
else console.warn(visit.reason, visit.message);
\`\`\`

It never rejects, and recommends nothing: what a status means for your site is yours to decide.
The documentation of your Imprint service has the details.
`;

const readJson = async (/** @type {string} */ file) =>
  /** @type {{ version: string, license: string }} */ (JSON.parse(await readFile(file, "utf8")));

/**
 * Builds the server package, including the Python module, from source; reproducible except for the archive's
 * compression.
 *
 * @returns {Promise<{ version: string, files: Record<string, Buffer>, versioned: Record<string, Buffer> }>} `files`
 * under names that move with each release, `versioned` under names that are permanent
 */
export async function bundleServerPackage() {
  const { version } = await readJson(join(SOURCES, "version.json"));
  const { license } = await readJson(join(ROOT, "package.json"));
  const [modules, scripts, types] = await Promise.all([scriptsOf(".mjs"), scriptsOf(".js"), declarations()]);
  const built = [...scripts, ...modules, ...types].sort(([one], [other]) => (one < other ? -1 : 1));
  /** @type {Record<string, Buffer>} */
  const packed = {
    "package.json": Buffer.from(`${JSON.stringify(packageManifest(version, license), null, 2)}\n`),
    "README.md": Buffer.from(packageReadme),
    ...Object.fromEntries(built),
  };
  const [archive, python] = await Promise.all([
    packArchive(packed),
    readFile(join(SOURCES, "python", `${PYTHON_NAME}.py`)),
  ]);
  return {
    version,
    files: { [`${PACKAGE_NAME}.tgz`]: archive, [`${PYTHON_NAME}.py`]: python },
    versioned: { [`${PACKAGE_NAME}-${version}.tgz`]: archive, [`${PYTHON_NAME}-${version}.py`]: python },
  };
}
