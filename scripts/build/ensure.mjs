import fs from "node:fs";
import path from "node:path";

import { waitForLock } from "../../db/file-lock.mjs";
import { buildLayout } from "./layout.mjs";
import { forgetStamp, inputDigest, isFresh, writeStamp } from "./stamp.mjs";

const BUILD_TIMEOUT_MS = 15 * 60_000;

/** @typedef {"component" | "documents" | "bundles" | "pages"} Part */

/**
 * The browser component comes first: the pages and the server serve its files.
 *
 * @type {Record<Part, () => Promise<unknown>>}
 */
const BUILDERS = {
  async component() {
    const { buildComponent } = await import("../component/build.mjs");
    await buildComponent({ outDir: folderOf("component") });
  },
  async documents() {
    const { buildDocuments } = await import("./documents.mjs");
    await buildDocuments(folderOf("documents"));
  },
  async bundles() {
    const { buildBundles } = await import("./bundles.mjs");
    await buildBundles(buildLayout().bundles);
  },
  async pages() {
    const { buildPages } = await import("./pages.mjs");
    await buildPages();
  },
};

/** @param {Part} part */
const folderOf = (part) => {
  const { pages, bundles } = buildLayout();
  const [component, documents] = ["component", "documents"].map((name) => path.join(bundles, name));
  return { component, documents, bundles, pages }[part] ?? bundles;
};

/**
 * Builds whatever is missing or out of date, with one process at a time per output folder.
 *
 * @param {readonly Part[]} parts
 * @param {{ say?: (line: string) => void }} [options]
 */
export async function ensureBuilt(parts, { say = () => undefined } = {}) {
  const digest = inputDigest();
  const isStale = (/** @type {Part} */ part) => !isFresh(folderOf(part), digest);
  if (!parts.some(isStale)) return;
  fs.mkdirSync(buildLayout().bundles, { recursive: true });
  const lock = await waitForLock(buildLayout().bundles, "build", {
    timeoutMs: BUILD_TIMEOUT_MS,
    onWait: (holder) => {
      say(`Waiting for the build of process ${holder?.pid ?? "unknown"}`);
    },
  });
  try {
    for (const part of parts.filter(isStale)) {
      const startedAt = performance.now();
      const folder = folderOf(part);
      fs.mkdirSync(folder, { recursive: true });
      forgetStamp(folder);
      say(`Building ${part}${part === "pages" ? ", which takes up to a minute the first time" : ""}`);
      await BUILDERS[part]();
      fs.mkdirSync(folder, { recursive: true });
      writeStamp(folder, digest);
      say(`Built ${part} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    }
  } finally {
    lock.release();
  }
}
