import { env } from "@/lib/platform/env";
import { sharedState } from "./shared-state";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** Log settings that can be changed while the service runs. */
export type LogSettings = {
  level: (typeof LOG_LEVELS)[number];
  /** Whether every request is logged. */
  access: boolean;
  /** Requests and statements that take longer are logged. */
  slowMs: number;
};

type Adjustable = { level: string };
type State = { settings: LogSettings; loggers: Set<Adjustable> };

const configured = (): LogSettings => ({ level: env.LOG_LEVEL, access: env.LOG_ACCESS, slowMs: env.LOG_SLOW_MS });

/** Each of the process's two module graphs has a logger. */
const holder = sharedState<State>("logSettings");

const state = (): State => (holder.value ??= { settings: configured(), loggers: new Set() });

export const logSettings = (): LogSettings => state().settings;

/** Registers a logger whose level follows the settings. */
export function followLevel(logger: Adjustable): void {
  state().loggers.add(logger);
}

/** Changes the settings of this process; settings not given return to their value from the environment. */
export function changeLogSettings(changes: Partial<LogSettings>): void {
  const at = state();
  at.settings = { ...configured(), ...changes };
  for (const logger of at.loggers) logger.level = at.settings.level;
}
