import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import manifest from "../../package.json" with { type: "json" };
import { ROOT } from "../build/layout.mjs";

const DECISIONS = join(ROOT, "docs/decisions");
const decisions = readdirSync(DECISIONS).sort();
const textOf = (file: string) => readFileSync(join(DECISIONS, file), "utf8");

const STATUS =
  /^Date: 20\d\d-[01]\d-[0-3]\d\. Status: (accepted|not used|(accepted; )?replaced by \[decision \d+\]\(\d{4}-[\w-]+\.md\).*)\.$/;

test("decisions are numbered without gaps, and each has its number, a date and a status", () => {
  const numbers = decisions.map((file) => Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]));
  expect(numbers).toEqual(decisions.map((_, index) => index + 1));
  for (const [index, file] of decisions.entries()) {
    const [title = "", , status = ""] = textOf(file).split("\n");
    expect(title, file).toMatch(new RegExp(`^# ${index + 1}\\. \\S`));
    expect(status, file).toMatch(STATUS);
  }
});

const dependencies = Object.entries({
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.devDependencies,
});

test("every dependency is pinned exactly and listed in decision 5, which lists no others", () => {
  for (const [name, version] of dependencies) expect(version, name).toMatch(/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/);
  const cells = textOf("0005-dependencies.md").matchAll(/^\| (`.+?`) \|/gm);
  const patterns = [...cells].flatMap(([, cell = ""]) => [...cell.matchAll(/`(.+?)`/g)].map(([, name = ""]) => name));
  const covers = (pattern: string, name: string) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
  const names = dependencies.map(([name]) => name);
  expect(names.filter((name) => !patterns.some((pattern) => covers(pattern, name)))).toEqual([]);
  expect(patterns.filter((pattern) => !names.some((name) => covers(pattern, name)))).toEqual([]);
});

const lockText = readFileSync(join(ROOT, "package-lock.json"), "utf8");

test("the lock file names no registry, so that installs use npm's configured one", () => {
  expect(lockText).not.toContain('"resolved"');
});

test("the lock file lists the native packages of every platform: npm 10 installs no others", () => {
  const { packages } = JSON.parse(lockText) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const listed = new Set(Object.keys(packages).map((place) => place.slice(place.lastIndexOf("node_modules/") + 13)));
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).flatMap((name) => (listed.has(name) ? [] : [`${place} needs ${name}`])),
  );
  expect(missing).toEqual([]);
});

test("CI runs on the oldest supported Node, with the commands of the README", () => {
  const workflow = readFileSync(join(ROOT, ".github/workflows/test.yml"), "utf8");
  const [, oldest = ""] = /^>=([\d.]+)$/.exec(manifest.engines.node) ?? [];
  expect(workflow).toContain(`node: ["${oldest}", `);
  expect(oldest.startsWith(readFileSync(join(ROOT, ".nvmrc"), "utf8").trim())).toBe(true);
  for (const command of ["npm install", "npm run check", "npm test"]) expect(workflow).toContain(`- run: ${command}\n`);
});

test("every path in CODEOWNERS exists", () => {
  const lines = readFileSync(join(ROOT, ".github/CODEOWNERS"), "utf8").split("\n");
  const paths = lines.flatMap((line) => (line.startsWith("/") ? [line.split(/\s/)[0] ?? ""] : []));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
