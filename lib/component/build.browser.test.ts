import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import type { Browser } from "playwright-core";
import { extract } from "tar-stream";
import ts from "typescript";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { buildComponent } from "../../scripts/component/build.mjs";
import { readReleases } from "../../scripts/component/releases.mjs";
import { bundleComponent } from "../../scripts/component/bundle.mjs";
import { bundle, launchForPages, SAMPLE_ENVIRONMENT_ID, SAMPLE_IMPRINT, startSite, type Site } from "@/test/browser";

/** Size budget, all signals included. */
const SCRIPT_MAX_BROTLI_BYTES = 6000;
const REACT_ENTRY = "imprint-react.mjs";

let outDir: string;
let folder: string;
/** A site that has installed the archive, as a package manager does. */
let siteFolder: string;
let packageFolder: string;
let packed: string[];
let manifest: Awaited<ReturnType<typeof buildComponent>>;
let browser: Browser;
let site: Site;

beforeAll(async () => {
  outDir = await mkdtemp(join(tmpdir(), "imprint-build-"));
  folder = join(outDir, "v1");
  [manifest, browser] = await Promise.all([buildComponent({ outDir }), launchForPages()]);
  siteFolder = await mkdtemp(join(tmpdir(), "imprint-package-"));
  packageFolder = join(siteFolder, "node_modules/imprint-browser");
  packed = await unpack(packageFolder);
});

afterAll(async () => {
  await browser.close();
  await Promise.all([outDir, siteFolder].map((path) => rm(path, { recursive: true })));
});

beforeEach(async () => {
  site = await startSite();
  for (const name of Object.keys(manifest.files))
    if (name.endsWith("js")) site.page(`/v1/${name}`, await readFile(join(folder, name), "utf8"));
  return () => site.close();
});

const unpack = async (into: string) => {
  const archive = extract();
  const { version, versioned } = await bundleComponent();
  archive.end(gunzipSync(versioned[`imprint-${version}.tgz`] ?? ""));
  const names: string[] = [];
  for await (const entry of archive) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const name = entry.header.name.replace(/^package\//, "");
    names.push(name);
    await mkdir(dirname(join(into, name)), { recursive: true });
    await writeFile(join(into, name), Buffer.concat(chunks));
  }
  return names;
};

const read = (name: string) => readFile(join(folder, name));

/** What the body of a fresh page reads once `source` has put something there. */
const shownBy = async (html: string, toClick?: string) => {
  site.page("/", `<!doctype html><body>${html}`);
  const page = await browser.newPage();
  try {
    await page.goto(site.pageOrigin);
    if (toClick) await page.click(toClick);
    await page.waitForFunction(() => document.body.dataset["shown"]);
    return await page.evaluate(() => document.body.dataset["shown"]);
  } finally {
    await page.close();
  }
};

const show = "({ imprint }) => { document.body.dataset.shown = imprint; }";
const config = `{ environmentId: "${SAMPLE_ENVIRONMENT_ID}" }`;

test("the script with every signal stays within its size", () => {
  expect(manifest.files["imprint.js"]?.brotliBytes).toBeLessThanOrEqual(SCRIPT_MAX_BROTLI_BYTES);
  expect(manifest.files["imprint.mjs"]?.brotliBytes).toBeLessThanOrEqual(SCRIPT_MAX_BROTLI_BYTES);
});

test("scripts begin with the comment by which Chromium compiles them while it loads them", async () => {
  for (const name of ["imprint.js", "imprint.mjs"])
    expect(await readFile(join(folder, name), "utf8")).toMatch(/^\/\/# allFunctionsCalledOnLoad\n\S/);
});

test("every file has the integrity value of the manifest and its compressed twins", async () => {
  for (const [name, { bytes, integrity }] of Object.entries(manifest.files)) {
    const content = await read(name);
    expect(content.length, name).toBe(bytes);
    expect(`sha384-${createHash("sha384").update(content).digest("base64")}`, name).toBe(integrity);
    if (name.endsWith(".tgz")) continue;
    expect(brotliDecompressSync(await read(`${name}.br`)).equals(content), name).toBe(true);
    expect(gunzipSync(await read(`${name}.gz`)).equals(content), name).toBe(true);
  }
  expect(JSON.parse((await read("manifest.json")).toString())).toEqual(manifest);
});

test("the same sources give the same bytes", async () => {
  const again = await mkdtemp(join(tmpdir(), "imprint-build-"));
  try {
    expect(await buildComponent({ outDir: again })).toEqual(manifest);
    const names = await readdir(folder);
    expect(await readdir(join(again, "v1"))).toEqual(names);
    for (const name of names)
      expect((await readFile(join(again, "v1", name))).equals(await read(name)), name).toBe(true);
  } finally {
    await rm(again, { recursive: true });
  }
});

test.each(await readReleases())(
  "a script tag with the integrity value of $version gives the global Imprint",
  async ({ version }) => {
    const name = `imprint-${version}.js`;
    const tag = `<script src="${site.serviceOrigin}/v1/${name}" integrity="${manifest.files[name]?.integrity ?? ""}" crossorigin="anonymous"></script>`;

    expect(await shownBy(`${tag}<script>Imprint.createImprint(${config}).run().then(${show})</script>`)).toBe(
      SAMPLE_IMPRINT,
    );
  },
);

test("the module file knows where its service is", async () => {
  const source = `import { createImprint } from "${site.serviceOrigin}/v1/imprint.mjs"; createImprint(${config}).run().then(${show});`;

  expect(await shownBy(`<script type="module">${source}</script>`)).toBe(SAMPLE_IMPRINT);
});

type Target = string | { [condition: string]: Target };
const filesOf = (target: Target): string[] =>
  typeof target === "string" ? [target] : Object.values(target).flatMap(filesOf);

test("the archive is a package whose every export exists", async () => {
  const { name, version, exports } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    exports: Record<string, Target>;
  };
  expect([name, version]).toEqual(["imprint-browser", manifest.version]);
  for (const target of Object.values(exports).flatMap(filesOf)) expect(packed).toContain(target.replace("./", ""));
});

const CONSUMER = `
import { createImprint, isImprintError, type ImprintErrorCode } from "imprint-browser";
import { useImprint } from "imprint-browser/react";
const client = createImprint({ environmentId: "env_", endpoint: "/imprint", storage: "none", timeoutMs: 1, consent: async () => true });
const result: Promise<{ imprint: string }> = client.run({ surface: "s", signal: new AbortController().signal });
result.catch((error: unknown) => { if (isImprintError(error)) { const code: ImprintErrorCode = error.code; void code; } });
const { run, status, imprint, error } = useImprint({ environmentId: "env_" });
export const all: ["idle" | "running" | "done" | "failed", string | null, boolean | undefined, typeof run] = [status, imprint, error?.retryable, run];
// @ts-expect-error a misspelt option
createImprint({ environment: "env_" });
// @ts-expect-error no such code
const wrong: ImprintErrorCode = "broken"; void wrong;
`;

/** Of `module` by `moduleResolution`, as a tsconfig.json spells them. */
const RESOLUTIONS = { node10: "commonjs", node16: "node16", nodenext: "nodenext", bundler: "esnext" };

test.each(Object.entries(RESOLUTIONS))(
  "the published types are found under moduleResolution %s, in both formats, accept right uses and refuse wrong ones",
  async (moduleResolution, module) => {
    const names = ["consumer.mts", "consumer.cts"].map((name) => join(siteFolder, name));
    for (const name of names) await writeFile(name, CONSUMER);
    const { options, errors } = ts.convertCompilerOptionsFromJson(
      {
        ...{ module, moduleResolution, target: "es2022", ignoreDeprecations: "6.0", types: [] },
        ...{ strict: true, noEmit: true, exactOptionalPropertyTypes: true, skipDefaultLibCheck: true },
      },
      siteFolder,
    );
    const diagnostics = [...errors, ...ts.getPreEmitDiagnostics(ts.createProgram(names, options))];
    expect(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  },
);

/** A React page of the built package: a button runs the component, the body shows what the hook says. */
const reactPage = (options: string) => `
  import { createElement, StrictMode } from "react";
  import { createRoot } from "react-dom/client";
  import { useImprint } from "${join(packageFolder, REACT_ENTRY)}";
  function Form() {
    const { run, status, imprint, error } = useImprint(${options});
    if (status === "done" || status === "failed") document.body.dataset.shown = [status, imprint, error && error.code].join();
    return createElement("button", { onClick: () => { void run(); void run(); } }, status);
  }
  createRoot(document.getElementById("root")).render(createElement(StrictMode, null, createElement(Form)));`;

const reactOptions = (environmentId: string, more = "") =>
  `{ environmentId: "${environmentId}", endpoint: "${site.serviceOrigin}", ${more} }`;

test.each([
  [
    "runs once for a double click and gives the imprint",
    () => reactOptions(SAMPLE_ENVIRONMENT_ID),
    `done,${SAMPLE_IMPRINT},`,
    1,
  ],
  [
    "turns a wrong option into an error instead of breaking the page",
    () => reactOptions("ws_1"),
    "failed,,invalid_config",
    0,
  ],
  [
    "refuses a secret in any option",
    () => reactOptions(SAMPLE_ENVIRONMENT_ID, 'apiKey: "svc_live_4f8Zq0secret"'),
    "failed,,invalid_config",
    0,
  ],
  ["turns missing options into an error", () => "null", "failed,,invalid_config", 0],
])("the React hook %s", async (_what, options, shown, submissions) => {
  site.page("/app.js", await bundle(reactPage(options())));

  expect(await shownBy(`<div id="root"></div><script src="/app.js"></script>`, "button")).toBe(shown);
  expect(site.submissions().length).toBe(submissions);
});

test.each([
  ["importing", () => import(/* @vite-ignore */ join(packageFolder, "imprint.mjs")) as Promise<unknown>],
  ["requiring", () => Promise.resolve(createRequire(join(siteFolder, "site.cjs"))("imprint-browser") as unknown)],
])("%s the package on a server touches nothing of a browser", async (_how, load) => {
  const loaded = (await load()) as { createImprint: (options: object) => unknown };

  expect(() => loaded.createImprint({ environmentId: SAMPLE_ENVIRONMENT_ID })).toThrow(/endpoint/);
  expect(
    loaded.createImprint({ environmentId: SAMPLE_ENVIRONMENT_ID, endpoint: "https://imprint.example.com" }),
  ).toHaveProperty("run");
  expect(loaded.createImprint({ environmentId: SAMPLE_ENVIRONMENT_ID, endpoint: "/_i/c.js" })).toHaveProperty("run");
});
