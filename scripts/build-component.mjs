/**
 * Builds the browser component: `node scripts/build-component.mjs [--out DIR]`, default `dist/component`.
 * The same sources give the same bytes: nothing here depends on the clock, the machine or the folder.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import { build } from "esbuild";
import { pack } from "tar-stream";
import ts from "typescript";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const SOURCES = join(ROOT, "lib/browser");
const PACKAGE_NAME = "imprint-browser";

/** `OS` byte of a gzip header: 255 is "unknown", so that every system writes the same file. Source: RFC 1952, 2.3.1. */
const GZIP_OS_BYTE = 9;

const compressGzip = async (bytes) => {
  const zipped = await promisify(gzip)(bytes, { level: 9 });
  zipped[GZIP_OS_BYTE] = 255;
  return zipped;
};

const compressBrotli = (bytes) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

/** React's entry shares the client with the other module file instead of holding a copy. */
const sharedClient = {
  name: "shared-client",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/entry-package$/ }, () => ({ path: "./imprint.mjs", external: true })),
};

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
  return Buffer.from(result.outputFiles[0].contents);
};

/** A copy inside a site's own bundle still loads the probe from the service: bundlers must leave that import alone. */
const leaveImports = (bytes) =>
  Buffer.from(bytes.toString().replaceAll("import(`", "import(/* webpackIgnore: true */ /* @vite-ignore */ `"));

const declarationsOf = async (file) => {
  const source = await readFile(join(SOURCES, file), "utf8");
  const { outputText, diagnostics } = ts.transpileDeclaration(source, { fileName: file, reportDiagnostics: true });
  if (diagnostics.length > 0) throw new Error(`${file} needs explicit types on its exports to be published.`);
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

/** A tar archive in the layout of npm, its entries in a fixed order and without times or owners. */
const packArchive = async (files) => {
  const archive = pack();
  const chunks = [];
  archive.on("data", (chunk) => chunks.push(chunk));
  const finished = new Promise((fulfil, reject) => archive.on("end", fulfil).on("error", reject));
  for (const [name, content] of Object.entries(files))
    archive.entry({ name: `package/${name}`, mtime: new Date(0), mode: 0o644, uid: 0, gid: 0 }, content);
  archive.finalize();
  await finished;
  return compressGzip(Buffer.concat(chunks));
};

const integrityOf = (bytes) => `sha384-${createHash("sha384").update(bytes).digest("base64")}`;

const buildFiles = async ({ version, license }) => {
  const [script, module, packaged, react, probe, types, reactTypes] = await Promise.all([
    bundle("entry-script.ts", "iife"),
    bundle("entry-module.ts", "esm"),
    bundle("entry-package.ts", "esm").then(leaveImports),
    bundle("react.ts", "esm", [sharedClient]),
    bundle("probe.ts", "esm"),
    mainDeclarations(),
    reactDeclarations(),
  ]);
  const json = (value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
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
    "imprint.js": script,
    "imprint.mjs": module,
    "imprint.d.ts": Buffer.from(types),
    "imprint-react.mjs": react,
    "imprint-react.d.ts": Buffer.from(reactTypes),
    "probe.mjs": probe,
    [`imprint-${version}.js`]: script,
    [`imprint-${version}.mjs`]: module,
    [`imprint-${version}.tgz`]: archive,
  };
};

/**
 * Writes every file of the component to `v1/` below `outDir`, which is emptied first.
 *
 * @param {{ outDir?: string }} [options]
 * @returns {Promise<{ version: string, files: Record<string, { bytes: number, gzipBytes?: number, brotliBytes?: number, integrity: string, isImmutable: boolean }> }>}
 *   the manifest, also written to `v1/manifest.json`
 */
export async function buildComponent({ outDir = join(ROOT, "dist/component") } = {}) {
  const { version, license } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const folder = join(resolve(outDir), "v1");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = { version, files: {} };
  for (const [name, bytes] of Object.entries(await buildFiles({ version, license }))) {
    const entry = { bytes: bytes.length, integrity: integrityOf(bytes), isImmutable: name.includes(version) };
    await writeFile(join(folder, name), bytes);
    if (!name.endsWith(".tgz")) {
      const [zipped, packed] = await Promise.all([compressGzip(bytes), compressBrotli(bytes)]);
      await Promise.all([writeFile(join(folder, `${name}.gz`), zipped), writeFile(join(folder, `${name}.br`), packed)]);
      Object.assign(entry, { gzipBytes: zipped.length, brotliBytes: packed.length });
    }
    manifest.files[name] = entry;
  }
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf("--out");
  const { version, files } = await buildComponent(at > 0 ? { outDir: process.argv[at + 1] } : {});
  console.log(`Browser component ${version}`);
  for (const [name, { bytes, brotliBytes }] of Object.entries(files))
    console.log(`  ${name.padEnd(28)} ${String(bytes).padStart(6)} B${brotliBytes ? `, brotli ${brotliBytes} B` : ""}`);
}
