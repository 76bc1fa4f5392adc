import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { PAGE_IDS, pageOf } from "@/components/shell/pages";

const ROOT = join(import.meta.dirname, "w/[workspaceId]");

/** Path of the page that a file renders: without route groups; a slot renders the page that it intercepts. */
const pathOf = (file: string) =>
  dirname(file)
    .replace(/^\(\w+\)$/, "")
    .replace(/\/@\w+\/\(\.\)/, "/");

const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter(
  (file) => /(^|\/)page\.tsx$/.test(file) && !/@\w+\/page\.tsx$/.test(file),
);
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);

test("every page of the Console is in the list, and the list names no page that does not exist", () => {
  expect([...new Set(files.map(pathOf))].toSorted()).toEqual(PAGE_IDS.map((id) => pageOf(id).path).toSorted());
});

test.each(files)("%s checks the permission and has the title that the list gives it", (file) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  const id = PAGE_IDS.find((known) => pageOf(known).path === pathOf(file));
  expect(all(text, /\bopenPage\(\s*"([\w-]+)"/g)).toEqual([id]);
  expect(text).not.toMatch(/\b(pageContext|readForPage)\(/);
  const titles = all(text, /\b(?:pageMetadata|titledById)\("([\w-]+)"/g);
  expect(titles).toEqual(file.includes("@") ? [] : [id]);
});

test("pages of the navigation have no parameters of their own, and no two pages share a shortcut", () => {
  const linked = PAGE_IDS.map(pageOf).filter(({ Icon, settingsTab }) => Icon ?? settingsTab);
  expect(linked.filter(({ path }) => path.includes("["))).toEqual([]);
  const shortcuts = ["d", ...linked.flatMap(({ shortcut }) => shortcut ?? [])];
  expect(new Set(shortcuts).size).toBe(shortcuts.length);
});
