import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

import { writeWholeFile } from "@/db/write-file.mjs";
import { changeLogSettings, LOG_LEVELS, type LogSettings } from "@/lib/platform/log-settings";

const LOOK_EVERY_MS = 1_000;

/** A temporary change of log settings: written by a command, read by every process that shares the data folder. */
const LogChange = z
  .object({
    level: z.enum(LOG_LEVELS).optional(),
    access: z.boolean().optional(),
    slowMs: z.number().int().min(1).optional(),
    /** Expiry, in milliseconds since 1970. Afterwards the environment applies again. */
    until: z.number(),
  })
  .strict();
export type LogChange = z.infer<typeof LogChange>;

const fileOf = (dataDir: string) => join(dataDir, "log.json");

/** The change in force, if any. An unreadable file counts as none. */
export function readLogChange(dataDir: string, nowMs: number): LogChange | undefined {
  try {
    const parsed = LogChange.safeParse(JSON.parse(readFileSync(fileOf(dataDir), "utf8")));
    return parsed.success && parsed.data.until > nowMs ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Applies a change to every process of this data folder within a second; `undefined` ends the current one. */
export function writeLogChange(dataDir: string, change: LogChange | undefined): void {
  const file = fileOf(dataDir);
  if (!change) {
    rmSync(file, { force: true });
    return;
  }
  writeWholeFile(file, JSON.stringify(change), { mode: 0o644 });
}

const settingsOf = ({ level, access, slowMs }: Partial<LogChange>): Partial<LogSettings> => ({
  ...(level === undefined ? {} : { level }),
  ...(access === undefined ? {} : { access }),
  ...(slowMs === undefined ? {} : { slowMs }),
});

/** Polls for changes. They are kept in a file so that they reach workers and containers, even without a database. */
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
