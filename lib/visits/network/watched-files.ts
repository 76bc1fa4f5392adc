import { readFile } from "node:fs/promises";

import { fileSignature } from "@/lib/platform/file-signature";
import { decodeList, LIST_NAMES, listFile } from "./list-files";
import type { DataSetName, LoadedDataSet, NetworkData, WatchedFile } from "./network-data";
import { FILE_ROLES, type FileRole, openOperatorFile } from "./operator-file";

export function watchedFiles(dataDir: string, files: Partial<Record<FileRole, string | undefined>>): WatchedFile[] {
  const own = FILE_ROLES.flatMap((role) => (files[role] === undefined ? [] : [{ role, path: files[role] }]));
  return [...own, ...LIST_NAMES.map((list) => ({ list, path: listFile(dataDir, list) }))];
}

const nameOf = (file: WatchedFile): DataSetName => ("role" in file ? `${file.role}-file` : `${file.list}-list`);

type Contents = Pick<LoadedDataSet, "kind" | "builtAtMs">;

/** Reads a file and puts it in use. Later lookups see the new contents as a whole. */
async function load(data: NetworkData, file: WatchedFile): Promise<Contents> {
  if ("list" in file) {
    const { head, ranges } = decodeList(await readFile(file.path));
    data.lists[file.list] = ranges;
    return { builtAtMs: head.updatedAtMs };
  }
  const opened = await openOperatorFile(file.path, file.role);
  data.files[file.role] = opened;
  // Organisation names may differ from those of the previous table.
  if (file.role === "asn") data.classByAsn.clear();
  return { kind: opened.kind, builtAtMs: opened.builtAtMs };
}

function report(data: NetworkData, status: LoadedDataSet): void {
  data.dataSets = [...data.dataSets.filter(({ name }) => name !== status.name), status];
}

async function refresh(data: NetworkData, file: WatchedFile): Promise<void> {
  const signature = await fileSignature(file.path);
  const name = nameOf(file);
  const before = data.dataSets.find((set) => set.name === name);
  if (before !== undefined && signature === file.seen) return;
  const isFirst = before === undefined;
  const inUse = before?.present === true ? before : { name, source: file.path, present: false };
  if (signature === undefined) delete file.seen;
  else file.seen = signature;
  try {
    if (signature === undefined) {
      // A list that was never downloaded is no problem, but a configured file that is missing is.
      const isMissed = "role" in file || !isFirst;
      report(data, isMissed ? { ...inUse, problem: "The file is missing." } : inUse);
      return;
    }
    report(data, { name, source: file.path, present: true, ...(await load(data, file)) });
    data.classByAddress.clear();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    report(data, { ...inUse, problem: `The file cannot be used: ${message}.` });
  }
}

/**
 * Checks all watched files and reads those that changed. Never rejects: if a file is missing or damaged, the current
 * contents stay in use and the status says so.
 */
export async function loadWatchedFiles(data: NetworkData): Promise<void> {
  for (const file of data.watched) await refresh(data, file);
}
