import { AppError } from "@/lib/contract/errors";
import type { Given } from "./command";
import { parseDuration } from "./domain/duration";

/** Seconds of a duration option; undefined if not given. @throws AppError `invalid_request` */
export function spanOption(given: Given, name: string): number | undefined {
  const text = given.optional(name);
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (seconds === undefined)
    throw new AppError("invalid_request", { message: `--${name} must be a duration such as 90d, 12h or 30m` });
  return seconds;
}
