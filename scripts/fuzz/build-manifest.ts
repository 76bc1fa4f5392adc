import { readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

const Actions = z.object({
  node: z.record(z.string(), z.object({ exportedName: z.string(), workers: z.record(z.string(), z.unknown()) })),
});

export type PageAction = {
  name: string;
  id: string;
  /** Routes of the pages that use it. */
  pages: string[];
};

const read = (folder: string, file: string): unknown => JSON.parse(readFileSync(join(folder, "server", file), "utf8"));

/** Removes Next's folder conventions from a path: groups, slots and intercepted routes. */
const routeOf = (entry: string): string =>
  entry
    .replaceAll(/\/\([^)]*\)/g, "")
    .replace(/^app/, "")
    .replace(/\/(page|route)$/, "") || "/";

/** Every server action of a build, as a browser could call it. */
export function readActions(pagesFolder: string): PageAction[] {
  const { node } = Actions.parse(read(pagesFolder, "server-reference-manifest.json"));
  return Object.entries(node).map(([id, { exportedName, workers }]) => ({
    name: exportedName,
    id,
    pages: Object.keys(workers).map(routeOf),
  }));
}

/** Paths answered by operations and protocols before Next. */
const MOUNTED = /^\/(api\/v1|mcp|oauth\/\[)/;

/** Every page and file that Next serves, with parameters in brackets. */
export function readPages(pagesFolder: string): string[] {
  const entries = Object.keys(z.record(z.string(), z.string()).parse(read(pagesFolder, "app-paths-manifest.json")));
  return [...new Set(entries.filter((entry) => !entry.includes("/@")).map(routeOf))].filter(
    (route) => !MOUNTED.test(route),
  );
}
