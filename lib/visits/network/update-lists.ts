import path from "node:path";

import { makeFolder } from "@/db/make-folder.mjs";
import { writeWholeFile } from "@/db/write-file.mjs";
import { type AddressList, countIpv4, parseAddressList, toRanges } from "./address-list";
import { fetchSource, type Source } from "./fetch-source";
import { encodeList, LIST_NAMES, listFile, type ListHead, type ListName, readListFile } from "./list-files";
import type { Ranges } from "./ranges";

export type ListUpdate = {
  name: ListName;
  outcome: "updated" | "unchanged" | "off" | "refused";
  /** Number of entries in the current list. */
  entries: number;
  /** Number of entries in the previous list, if there was one. */
  before?: number;
  /** Why the previous list was kept. */
  problem?: string;
};

/** Minimum number of entries; fewer mean an incomplete response. */
const FEWEST_ENTRIES: Record<ListName, number> = { tor: 100, relay: 100, vpn: 1, cloud: 10 };
/** Maximum change of a list's size between two updates, as a share. */
const MAX_CHANGE = 0.5;
const MAX_REJECTED = 0.01;
/** Maximum share of all IPv4 addresses. All large clouds together have about 5 %. */
const MAX_COVERAGE = 0.15;

/** Checks a list for faults. Only a fault in the change of size can be overridden. */
function findFault(
  { entries, rejected }: AddressList,
  { name, ranges, before, isForced }: { name: ListName; ranges: Ranges; before: number | undefined; isForced: boolean },
) {
  if (rejected > Math.max(1, MAX_REJECTED * (entries + rejected)))
    return `${rejected} of ${entries + rejected} entries are not public addresses or networks`;
  if (entries < FEWEST_ENTRIES[name]) return `${entries} entries are fewer than the ${FEWEST_ENTRIES[name]} expected`;
  if (countIpv4(ranges) > MAX_COVERAGE * 2 ** 32) return "it would cover an implausibly large part of the internet";
  if (isForced || before === undefined || Math.abs(entries - before) <= MAX_CHANGE * before) return undefined;
  return `${entries} entries instead of ${before}; pass --force if that is correct`;
}

/** Replaces the file atomically, so that a running service sees either the old or the new list. */
function replaceFile(file: string, bytes: Buffer): void {
  makeFolder(path.dirname(file));
  writeWholeFile(file, bytes, { mode: 0o644 });
}

const together = (lists: AddressList[]): AddressList => ({
  spans: lists.flatMap(({ spans }) => spans),
  entries: lists.reduce((sum, { entries }) => sum + entries, 0),
  rejected: lists.reduce((sum, { rejected }) => sum + rejected, 0),
});

/** Fetches all sources. Undefined if none changed since `known`. */
async function fetchAll(urls: readonly string[], known: ListHead["sources"]): Promise<Source[] | undefined> {
  const isSame = known.length === urls.length && known.every(({ url }, index) => url === urls[index]);
  const asked = await Promise.all(urls.map((url, index) => fetchSource(url, isSame ? known[index] : undefined)));
  const changed = asked.filter((source) => source !== "unchanged");
  if (changed.length === 0) return undefined;
  return changed.length === urls.length ? changed : await fetchAll(urls, []);
}

const headOf = ({ url, etag, lastModified }: Source): ListHead["sources"][number] => ({
  url,
  ...(etag !== undefined && { etag }),
  ...(lastModified !== undefined && { lastModified }),
});

type Options = {
  dataDir: string;
  /** URLs (http, https) or file paths by list. A list without any is off. */
  sources: Partial<Record<ListName, readonly string[]>>;
  /** Accept lists whose size changed by more than half. */
  isForced: boolean;
  now: Date;
};

async function updateList(name: ListName, urls: readonly string[], options: Options): Promise<ListUpdate> {
  const file = listFile(options.dataDir, name);
  const head = readListFile(file)?.head;
  const kept = { name, entries: head?.entries ?? 0, ...(head && { before: head.entries }) };
  try {
    const sources = await fetchAll(urls, head?.sources ?? []);
    if (!sources) return { ...kept, outcome: "unchanged" };
    const list = together(sources.map(({ text }) => parseAddressList(text)));
    const ranges = toRanges(list.spans);
    const fault = findFault(list, { name, ranges, before: head?.entries, isForced: options.isForced });
    if (fault !== undefined) return { ...kept, outcome: "refused", problem: fault };
    const newHead = {
      updatedAtMs: options.now.getTime(),
      entries: list.entries,
      sources: sources.map(headOf),
    };
    replaceFile(file, encodeList(newHead, ranges));
    return { ...kept, outcome: "updated", entries: list.entries };
  } catch (cause) {
    return { ...kept, outcome: "refused", problem: cause instanceof Error ? cause.message : String(cause) };
  }
}

/**
 * Fetches, checks and replaces every list that has a source. Never rejects: if a list is unavailable or implausible,
 * the previous one is kept and its update says why. Running services notice changes within seconds.
 */
export async function updateLists(options: Options): Promise<ListUpdate[]> {
  const updates: ListUpdate[] = [];
  for (const name of LIST_NAMES) {
    const urls = options.sources[name] ?? [];
    updates.push(urls.length === 0 ? { name, outcome: "off", entries: 0 } : await updateList(name, urls, options));
  }
  return updates;
}
