import { env } from "@/lib/platform/env";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** What of the log can be changed while the service runs. */
export type LogSettings = {
  level: (typeof LOG_LEVELS)[number];
  /** Whether every request has a line. */
  access: boolean;
  /** Requests and statements that take longer have a line. */
  slowMs: number;
};

type Adjustable = { level: string };
type State = { settings: LogSettings; loggers: Set<Adjustable> };

const HOLDER = Symbol.for("imprint.logSettings");

const configured = (): LogSettings => ({ level: env.LOG_LEVEL, access: env.LOG_ACCESS, slowMs: env.LOG_SLOW_MS });

/** Shared by the two module graphs of this process, each of which has a logger. */
function state(): State {
  const holder = globalThis as { [HOLDER]?: State | undefined };
  return (holder[HOLDER] ??= { settings: configured(), loggers: new Set() });
}

export const logSettings = (): LogSettings => state().settings;

/** Has a logger follow the level. */
export function followLevel(logger: Adjustable): void {
  state().loggers.add(logger);
}

/** Changes the settings of this process; what is not named is again as the environment has it. */
export function changeLogSettings(changes: Partial<LogSettings>): void {
  const at = state();
  at.settings = { ...configured(), ...changes };
  for (const logger of at.loggers) logger.level = at.settings.level;
}
