import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

import { changeLogSettings, LOG_LEVELS, type LogSettings } from "@/lib/platform/log-settings";

const LOOK_EVERY_MS = 1_000;

/** Changes of the log for a time: written by a command, read by every process that shares the data folder. */
const LogChange = z
  .object({
    level: z.enum(LOG_LEVELS).optional(),
    access: z.boolean().optional(),
    slowMs: z.number().int().min(1).optional(),
    /** Milliseconds since 1970. Afterwards the environment counts again. */
    until: z.number(),
  })
  .strict();
export type LogChange = z.infer<typeof LogChange>;

const fileOf = (dataDir: string) => join(dataDir, "log.json");

/** The change that is in force, if any. A file that cannot be read is none. */
export function readLogChange(dataDir: string, nowMs: number): LogChange | undefined {
  try {
    const parsed = LogChange.safeParse(JSON.parse(readFileSync(fileOf(dataDir), "utf8")));
    return parsed.success && parsed.data.until > nowMs ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Puts a change in force for every process of this data folder, within a second; none ends the last one. */
export function writeLogChange(dataDir: string, change: LogChange | undefined): void {
  const file = fileOf(dataDir);
  if (!change) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(change));
  renameSync(draft, file);
}

const settingsOf = ({ level, access, slowMs }: Partial<LogChange>): Partial<LogSettings> => ({
  ...(level === undefined ? {} : { level }),
  ...(access === undefined ? {} : { access }),
  ...(slowMs === undefined ? {} : { slowMs }),
});

/** Follows the changes of a data folder. A file, since it reaches workers and containers alike, also without a database. */
export function watchLogChanges(dataDir: string, clockMs: () => number = Date.now): { close: () => void } {
  let applied = "";
  const look = () => {
    const change = readLogChange(dataDir, clockMs());
    const text = change === undefined ? "" : JSON.stringify(change);
    if (text !== applied) changeLogSettings(settingsOf(change ?? {}));
    applied = text;
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    close() {
      clearInterval(timer);
    },
  };
}
