import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

import { callerFolder } from "@/lib/platform/env";
import { version } from "@/package.json";
import { ROOT } from "../build/layout.mjs";
import { runQuietly } from "../build/pages.mjs";
import { JSON_OPTION, lineWriter, runCommand } from "../common/command";
import { environmentWith } from "../common/processes";
import { writeArchive } from "./archive";
import { collectEntries } from "./collect";
import type { Entry } from "./entries";

const LARGEST = 8;

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const sum = (entries: readonly Entry[]) => entries.reduce((total, { bytes }) => total + bytes, 0);

/** Timestamp of all files: that of the commit, so that the same sources give the same package. */
async function timeOfSources(): Promise<Date> {
  const { SOURCE_DATE_EPOCH: given } = environmentWith({});
  if (given) return new Date(Number(given) * 1000);
  try {
    const { stdout } = await promisify(execFile)("git", ["log", "-1", "--format=%ct"], { cwd: ROOT });
    return new Date(Number(stdout) * 1000);
  } catch {
    return new Date("2000-01-01T00:00:00Z"); // sources without their history
  }
}

/** Sizes by package for node_modules and by folder for everything else, largest first. */
function partsOf(entries: readonly Entry[]): { name: string; bytes: number }[] {
  const parts = new Map<string, Entry[]>();
  for (const entry of entries) {
    const [part = entry.name] = /^node_modules\/(@[^/]+\/)?[^/]+|^[^/]+\/[^/]+|^[^/]+/.exec(entry.name) ?? [];
    parts.set(part, [...(parts.get(part) ?? []), entry]);
  }
  return [...parts]
    .map(([name, own]) => ({ name, bytes: sum(own) }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, LARGEST);
}

await runCommand({
  name: "package",
  about: `Builds one archive of the service for this platform (${process.platform}-${process.arch}), with only what it needs at run time: it runs from a read-only folder, as a dedicated user, without npm or network access. See docs/installation.md.`,
  options: {
    to: { type: "string", default: ".package", value: "FOLDER", about: "output folder of the archive and its .sha256" },
    "with-node": { type: "boolean", default: false, about: `include this Node (${process.version})` },
    "with-network-data": {
      type: "boolean",
      default: false,
      about: "include the installed location and network data packages",
    },
    fast: { type: "boolean", default: false, about: "compress less, for trying out a package" },
    json: JSON_OPTION,
  },
  async run({ to, fast: isFast, json, ...given }) {
    const say = lineWriter(json);
    say(`Building everything that is missing or out of date`);
    await runQuietly(process.execPath, ["scripts/build.mjs"]);
    const choices = { node: given["with-node"], networkData: given["with-network-data"] };
    const entries = await collectEntries(choices);
    const top = `imprint-${version}-${process.platform}-${process.arch}`;
    const file = path.resolve(callerFolder(), to, `${top}.tar.gz`);
    const { bytes, sha256 } = await writeArchive(file, { top, entries, mtime: await timeOfSources(), isFast });
    const result = { file, sha256, bytes, unpacked_bytes: sum(entries), files: entries.length, ...choices };
    const parts = partsOf(entries);
    if (json) console.log(JSON.stringify({ ...result, parts }));
    say(`${file}\n${megabytes(bytes)}, unpacked ${megabytes(sum(entries))} in ${entries.length} files`);
    say(choices.node ? `Node ${process.version} is included` : "Node is not included; use --with-node to include it");
    for (const part of parts) say(`  ${megabytes(part.bytes).padStart(9)}  ${part.name}`);
    return 0;
  },
});
