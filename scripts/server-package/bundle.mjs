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
/** Each is an address of the package: `imprint-server/NAME`, but for the main one. */
const ENTRIES = [MAIN];

/** The formats of the package by the ending of their scripts; declarations end likewise. */
const FORMATS = /** @type {const} */ ({
  ".mjs": { format: "esm", types: ".d.mts" },
  ".js": { format: "cjs", types: ".d.ts" },
});

/** @typedef {keyof typeof FORMATS} Ending */

/** Entries share the main file instead of holding copies of it. @param {Ending} ending @returns {import("esbuild").Plugin} */
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
    // The oldest that Node 20, Bun, Deno and edge runtimes have in common; nothing of Node's own is resolved.
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

/** @param {string} file its declarations, which name only other files of the package */
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

/** What the declarations of an entry name, and what those name in turn; by module. */
async function reachedDeclarations() {
  /** @type {Map<string, string>} */
  const texts = new Map();
  const names = new Set(ENTRIES);
  // Visits what is added meanwhile.
  for (const name of names) {
    const text = await declarationsOf(`${name}.ts`);
    texts.set(name, text);
    for (const [, imported = ""] of text.matchAll(/(?:from|import\() ?"\.\/([\w-]+)"/g)) names.add(imported);
  }
  return texts;
}

/**
 * Declarations in both formats: each finds the others under the names that its scripts have.
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
 * Builds the package for servers, and takes the Python module, from their sources; the same sources give the same bytes, but for how the archive is
 * compressed.
 *
 * @returns {Promise<{ version: string, files: Record<string, Buffer>, versioned: Record<string, Buffer> }>} the files
 *   under the names that move with each release, and under those that are its own for good
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
