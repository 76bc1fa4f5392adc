import type { ImprintOptions } from "./api";
import { createError } from "./error";
import { attempt } from "./read";

export type Config = {
  environmentId: string;
  /** Absolute, without a trailing slash. */
  endpoint: string;
  storage: "all" | "none";
  timeoutMs: number;
};

const DEFAULT_TIMEOUT_MS = 8000;
const WANTED = "pass the environment id: env_ and 32 lowercase hex digits.";

const refuseUnless = (isFine: unknown, message: string): void => {
  if (!isFine) throw createError("invalid_config", message);
};

/**
 * Checks what the page passed.
 *
 * @param base address of the page, for an endpoint that is a path
 * @throws ImprintError `invalid_config`
 */
export const parseOptions = (options: ImprintOptions, defaultEndpoint?: string, base?: string): Config => {
  const { endpoint = defaultEndpoint, storage = "all", timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  // Untyped pages pass anything.
  const given: unknown = options.environmentId;
  const id = String(given);
  refuseUnless(!id.startsWith("svc_"), `This is an API key, and public now: roll it, and ${WANTED}`);
  refuseUnless(!id.startsWith("ws_"), `This is a Workspace id: ${WANTED}`);
  refuseUnless(/^env_[0-9a-f]{32}$/.test(id), `Wrong environmentId: ${WANTED}`);
  const address = endpoint && attempt(() => new URL(endpoint, base).href.replace(/\/+$/, ""));
  refuseUnless(address && /^https?:[^?#@]+$/.test(address), "endpoint must be an http(s) address without query.");
  refuseUnless(/^(all|none)$/.test(storage), "storage must be all or none.");
  // setTimeout counts in 31 bits: a longer wait would end at once.
  refuseUnless(timeoutMs > 0 && timeoutMs < 2 ** 31, "timeoutMs must be above 0");
  return { environmentId: id, endpoint: String(address), storage, timeoutMs };
};

/** @throws ImprintError `invalid_config` */
export const checkSurface = (surface: string): void => {
  refuseUnless(/^[\w.:-]{1,64}$/.test(surface), "surface: 1 to 64 of A-Za-z0-9._:-");
};
