import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { type AddressList, countIpv4, parseAddressList, toRanges } from "./address-list";
import { fetchSource, type Source } from "./fetch-source";
import { encodeList, LIST_NAMES, listFile, type ListHead, type ListName, readListFile } from "./list-files";
import type { Ranges } from "./ranges";

export type ListUpdate = {
  name: ListName;
  outcome: "updated" | "unchanged" | "off" | "refused";
  /** Entries of the list now in place. */
  entries: number;
  /** Entries of the list before, when there was one. */
  before?: number;
  /** Why the list in place was kept. */
  problem?: string;
};

/** Fewer entries than these are no whole list, as an answer that was cut off is not. */
const FEWEST_ENTRIES: Record<ListName, number> = { tor: 100, relay: 100, vpn: 1, cloud: 10 };
/** A list may grow or shrink by this part from one update to the next. */
const MAX_CHANGE = 0.5;
const MAX_REJECTED = 0.01;
/** Of all IPv4 addresses. All large clouds together hold about 5 %. */
const MAX_COVERAGE = 0.15;

/** What speaks against a list; a person can overrule the change in size alone. */
function findFault(name: ListName, list: AddressList, ranges: Ranges, before: number | undefined, isForced: boolean) {
  const { entries, rejected } = list;
  if (rejected > Math.max(1, MAX_REJECTED * (entries + rejected)))
    return `${rejected} of ${entries + rejected} entries are no public address or network`;
  if (entries < FEWEST_ENTRIES[name]) return `${entries} entries are fewer than the ${FEWEST_ENTRIES[name]} expected`;
  if (countIpv4(ranges) > MAX_COVERAGE * 2 ** 32) return "it would cover more of the internet than any such list does";
  if (isForced || before === undefined || Math.abs(entries - before) <= MAX_CHANGE * before) return undefined;
  return `${entries} entries instead of ${before}: pass --force if that is right`;
}

/** Puts the file in place in one step: a running service sees the old list or the new one. */
function replaceFile(file: string, bytes: Buffer): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, bytes);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

const together = (lists: AddressList[]): AddressList => ({
  spans: lists.flatMap(({ spans }) => spans),
  entries: lists.reduce((sum, { entries }) => sum + entries, 0),
  rejected: lists.reduce((sum, { rejected }) => sum + rejected, 0),
});

/** The texts of all sources, or nothing when none of them changed since `known`. */
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
  /** Addresses (http, https) or paths of files, by list; a list without any is off. */
  sources: Partial<Record<ListName, readonly string[]>>;
  /** Accepts lists whose size changed by more than half. */
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
    const fault = findFault(name, list, ranges, head?.entries, options.isForced);
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
 * Asks for every list that has a source, checks it and puts it in place. Never rejects: a list that cannot be had or
 * makes no sense leaves the one in place, and its update says why. Running services notice within seconds.
 */
export async function updateLists(options: Options): Promise<ListUpdate[]> {
  const updates: ListUpdate[] = [];
  for (const name of LIST_NAMES) {
    const urls = options.sources[name] ?? [];
    updates.push(urls.length === 0 ? { name, outcome: "off", entries: 0 } : await updateList(name, urls, options));
  }
  return updates;
}
