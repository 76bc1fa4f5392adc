import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const LOCATION = /([^\s()]+):(\d+):(\d+)(\)?)$/;
/** Prefix of this project's files in the source maps of Next's bundles. */
const PAGE_SOURCE = "turbopack:///[project]/";

/** By bundle; undefined for a file without a map. Loaded on first use: loading all at start-up cost 0.5 s and 100 MB. */
const known = new Map<string, SourceMap | undefined>();

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")) as SourceMapPayload);
  } catch {
    return undefined;
  }
}

function mapOf(file: string): SourceMap | undefined {
  if (!known.has(file)) known.set(file, readMap(file));
  return known.get(file);
}

const nameOf = (source: string, file: string): string =>
  source.startsWith(PAGE_SOURCE) ? source.slice(PAGE_SOURCE.length) : relative("", resolve(dirname(file), source));

/** Maps a stack frame of a bundle to its source; other frames are unchanged. */
export function sourceFrame(frame: string): string {
  if (frame.includes("node_modules") || frame.includes("node:")) return frame;
  return frame.replace(LOCATION, (all: string, place: string, line: string, column: string, end: string) => {
    const file = place.startsWith("file:") ? fileURLToPath(place) : place;
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !("originalSource" in entry)) return all;
    return `${nameOf(entry.originalSource, file)}:${entry.originalLine + 1}:${entry.originalColumn + 1}${end}`;
  });
}
