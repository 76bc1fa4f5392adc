import { resolve } from "node:path";

import { AppError } from "@/lib/contract/errors";
import { env } from "@/lib/platform/env";
import { writeLogChange } from "@/lib/platform/log-file";
import { LOG_LEVELS } from "@/lib/platform/log-settings";
import type { Command } from "../command";
import { parseDuration } from "../domain/duration";

const DEFAULT_HOURS = 1;
const MAX_SECONDS = 30 * 86_400;

const SLOW_MS = { min: 1, mustBe: "a whole number of milliseconds, at least 1" };
const SPAN = "a duration such as 10m, 1h or 2d, at most 30 days";

function parseSpan(text: string): number | undefined {
  const seconds = parseDuration(text);
  return seconds === undefined || seconds > MAX_SECONDS ? undefined : seconds;
}

export const logCommands: readonly Command[] = [
  {
    name: "log set",
    summary: "Change what the running service logs for a limited time; afterwards the environment applies again",
    options: {
      level: { value: "LEVEL", description: "Lowest severity that is logged", choices: LOG_LEVELS },
      access: { description: "Log every request" },
      "slow-ms": { value: "MS", description: "Log requests and statements that take longer, in milliseconds" },
      for: { value: "SPAN", description: `How long, such as 10m or 2h; default ${DEFAULT_HOURS}h` },
    },
    runAlone(given) {
      const level = given.optionalChoice("level", LOG_LEVELS);
      const slowMs = given.optionalNumber("slow-ms", SLOW_MS);
      const change = { ...(level && { level }), ...(given.has("access") && { access: true }) };
      if (slowMs === undefined && Object.keys(change).length === 0)
        throw new AppError("invalid_request", { message: "Give at least one of --level, --access and --slow-ms" });
      const until = Date.now() + 1000 * (given.parsed("for", parseSpan, SPAN) ?? DEFAULT_HOURS * 3_600);
      writeLogChange(resolve(env.DATA_DIR), { ...change, ...(slowMs !== undefined && { slowMs }), until });
      return { ...change, ...(slowMs !== undefined && { slow_ms: slowMs }), until: new Date(until).toISOString() };
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
