import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const foldersOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );

/** Modules in a folder, except tests and the index. */
const modulesOf = (folder: string) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|^index\.ts$/.test(file))
    .map((file) => basename(file, ".ts"));

const hasTest = (folder: string, name: string) =>
  ["test.ts", "browser.test.ts"].some((ending) => existsSync(join(ROOT, folder, `${name}.${ending}`)));

const importsOf = (file: string) => [...read(file).matchAll(/from "\.\/([^"]+)"/g)].map(([, name]) => name);

const ARCHITECTURE = read("ARCHITECTURE.md");
const layers = [...ARCHITECTURE.matchAll(/^\| `lib\/([a-z]+)` \|/gm)].map(([, layer]) => layer);

test("ARCHITECTURE.md lists exactly the layers of lib, in the order that the import rules enforce", () => {
  const list = /const LAYERS = \[([^\]]*)\]/.exec(read("dependency-cruiser.config.mjs"))?.[1] ?? "";
  expect(layers).toEqual([...list.matchAll(/"([a-z]+)"/g)].map(([, layer]) => layer));
  expect([...layers].sort()).toEqual(foldersOf("lib").sort());
  expect(layers.length).toBeLessThanOrEqual(9);
});

test("every feature has an index", () => {
  const features = ["tenancy", "visits", "operations"].flatMap((layer) =>
    foldersOf(`lib/${layer}`).map((feature) => `lib/${layer}/${feature}`),
  );
  const entered = [...features, "lib/contract", "lib/metering", "lib/trials", "lib/trials/payments"];
  expect(entered.filter((feature) => !existsSync(join(ROOT, feature, "index.ts")))).toEqual([]);
});

test("every path in ARCHITECTURE.md and CONTRIBUTING.md exists", () => {
  const named = [ARCHITECTURE, read("CONTRIBUTING.md")].flatMap((text) =>
    [...text.matchAll(/`((?:app|components|db|docs|e2e|lib|releases|scripts|server|test)\/[\w./()[\]-]+)`/g)].map(
      ([, path = ""]) => path,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  const isPattern = (path: string) => /VERSION|NAME|PATH/.test(path);
  expect(named.filter((path) => !isPattern(path) && !existsSync(join(ROOT, path)))).toEqual([]);
});

test.each(["lib/visits/risk/domain/rules", "lib/visits/network/domain/rules"])(
  "every rule in %s is registered and has a test next to it",
  (folder) => {
    const rules = modulesOf(folder);
    expect(importsOf(`${folder}/index.ts`).sort()).toEqual(rules.sort());
    expect(rules.filter((rule) => !hasTest(folder, rule))).toEqual([]);
  },
);

test("every signal of the component is registered and has a test next to it", () => {
  const folder = "lib/component/signals";
  const registered = importsOf(`${folder}/index.ts`);
  const helpers = new Set(["gpu", "realm"]);
  expect(registered.sort()).toEqual(
    modulesOf(folder)
      .filter((name) => !helpers.has(name))
      .sort(),
  );
  expect(registered.filter((name) => !hasTest(folder, name ?? ""))).toEqual([]);
});

test("every migration is in the journal, and every journal entry has its file", () => {
  const journal = JSON.parse(read("db/migrations/meta/_journal.json")) as { entries: { tag: string }[] };
  const files = readdirSync(join(ROOT, "db/migrations")).filter((file) => file.endsWith(".sql"));
  expect(journal.entries.map(({ tag }) => `${tag}.sql`)).toEqual(files.sort());
});

test("no module except styles is imported for side effects, which bundles would drop", () => {
  const folders = ["app", "components", "db", "lib", "packages", "server"];
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  );
  const imported = files.flatMap((file) => [...read(file).matchAll(/^import "([^"]+)";$/gm)].map(([, name]) => name));
  expect(new Set(imported)).toEqual(new Set(["./globals.css"]));
});

const pages = ["app", "components"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .map((file) => join(folder, file)),
);

test("no cell of a table is cut off without giving its whole text", () => {
  expect(pages.filter((file) => /<(?:Td|td|TextTd)\b[^>]*\btruncate\b/.test(read(file)))).toEqual([
    "components/ui/table.tsx",
  ]);
});

test("the URL of a page of the Console is made by pageHref alone", () => {
  const byHand = ["app", "components"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .map((file) => join(folder, file))
      .filter((file) => read(file).includes("`/w/${")),
  );
  // The set-up page, whose script would otherwise contain the icons of the navigation.
  expect(byHand).toEqual(["app/setup/_components/setup-flow.tsx", "components/shell/pages.ts"]);
});

test("pages name the command line as the installation provides it, which may be without npm", () => {
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.filter((file) => /npm run (?:-s )?admin/.test(read(file)))).toEqual([]);
});
