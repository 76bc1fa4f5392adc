import { resolve } from "node:path";

import { AppError } from "@/lib/contract/errors";
import { env } from "@/lib/platform/env";
import { writeLogChange } from "@/lib/platform/log-file";
import { LOG_LEVELS } from "@/lib/platform/log-settings";
import type { Command } from "../command";
import { parseDuration } from "../domain/duration";

const DEFAULT_SPAN = "1h";
const MAX_SECONDS = 30 * 86_400;

const invalid = (message: string) => new AppError("invalid_request", { message });

function parseSpan(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds > MAX_SECONDS)
    throw invalid("--for must be a duration such as 10m, 1h or 2d, at most 30 days");
  return seconds;
}

function parseSlow(text: string): number {
  const slowMs = Number(text);
  if (!Number.isInteger(slowMs) || slowMs < 1)
    throw invalid("--slow-ms must be a whole number of milliseconds, at least 1");
  return slowMs;
}

export const logCommands: readonly Command[] = [
  {
    name: "log set",
    summary: "Change what the running service logs for a limited time; afterwards the environment applies again",
    options: {
      level: { value: "LEVEL", description: "Lowest severity that is logged", choices: LOG_LEVELS },
      access: { description: "Log every request" },
      "slow-ms": { value: "MS", description: "Log requests and statements that take longer, in milliseconds" },
      for: { value: "SPAN", description: `How long, such as 10m or 2h; default ${DEFAULT_SPAN}` },
    },
    runAlone(given) {
      const [wanted, slow] = [given.optional("level"), given.optional("slow-ms")];
      const level = LOG_LEVELS.find((known) => known === wanted);
      const change = {
        ...(level === undefined ? {} : { level }),
        ...(given.has("access") ? { access: true } : {}),
        ...(slow === undefined ? {} : { slowMs: parseSlow(slow) }),
      };
      if (Object.keys(change).length === 0) throw invalid("Give at least one of --level, --access and --slow-ms");
      const until = Date.now() + 1000 * parseSpan(given.optional("for") ?? DEFAULT_SPAN);
      writeLogChange(resolve(env.DATA_DIR), { ...change, until });
      const { slowMs, ...rest } = { slowMs: undefined, ...change };
      return { ...rest, ...(slowMs === undefined ? {} : { slow_ms: slowMs }), until: new Date(until).toISOString() };
    },
  },
  {
    name: "log reset",
    summary: "Undo the last change of the log: the environment applies again",
    options: {},
    runAlone() {
      writeLogChange(resolve(env.DATA_DIR), undefined);
      return { reset: true };
    },
  },
];
