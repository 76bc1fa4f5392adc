import type { ParsedOptions } from "./command";
import { parseDuration } from "./domain/duration";

/** Seconds of a duration option; undefined if not given. @throws AppError `invalid_request` */
export const spanOption = (given: ParsedOptions, name: string): number | undefined =>
  given.parsed(name, parseDuration, "a duration such as 90d, 12h or 30m");
