import type { ImprintOptions } from "./api";
import { createError } from "./error";
import { attempt, BLOCKED } from "./read";

export type Config = {
  environmentId: string;
  /** Where challenges are asked for, where visits are submitted, and the file of the probe. */
  urls: readonly string[];
  /** Whether a proxy of the site answers, under names of its own; it may keep the token in a cookie. */
  isProxied: boolean;
  storage: "all" | "none";
  consent: () => Promise<unknown>;
  timeoutMs: number;
};

const DEFAULT_TIMEOUT_MS = 8000;

/**
 * An address, without the slashes at its end and without a file of this component. A file under another name than those
 * of the service was served by a proxy of the site.
 */
const ENDPOINT = /^(https?:[^?#@]+?)(\/v1\/imprint[^/]*js|\/[^/]*(\.m?js))?\/*$/;
const NAMES = ["/api/v1/imprints/challenge", "/api/v1/imprints", "/v1/probe.mjs"];
/** Names in which no list of trackers can look for a word. */
const PROXY_NAMES = ["/a", "/b", "/p"];

/** API keys of the service, wherever in a text they stand. */
const SECRET = /svc_(live|trial|manage)_/;
/** So many parts of the options are looked at: a page may pass an element, and with it half of its framework. */
const MAX_PARTS = 8000;

/** `isFine` may throw: untyped pages pass anything. */
const refuseUnless = (isFine: () => unknown, message: string): void => {
  if (!attempt(isFine)) throw createError("invalid_config", message);
};

/** Refuses a secret anywhere in `options`: in names, texts, addresses, and what is nested. */
const refuseSecrets = (options: unknown): void => {
  // Visits what is added meanwhile, nearest first, and each part once: cycles end.
  const parts = new Set([options]);
  const add = (value: unknown) => {
    if (parts.size > MAX_PARTS) throw BLOCKED;
    parts.add(value);
  };
  for (const part of parts) {
    if (attempt(() => SECRET.test(part as string)))
      throw createError("invalid_config", "An API key is public now: revoke it in the Console.");
    const holder = part as unknown[];
    attempt(() => Reflect.ownKeys(holder).map((key) => [key, attempt(() => holder[key as "length"])].map(add)));
    // What maps, sets and headers hold is no property of theirs.
    attempt(() => {
      holder.forEach(add);
    });
  }
};

const warned = new Set<string>();

/**
 * Refuses secrets, and warns once of each option that is none of `known`.
 *
 * @throws ImprintError `invalid_config`, which never repeats what was passed
 */
export const checkOptions = <T extends object>(options: T | null | undefined, known: string[]): Partial<T> => {
  refuseSecrets(options);
  const given = Object(options) as Partial<T>;
  for (const name of Object.keys(given)) {
    const shared = (option: string) => Array.from(name).filter((letter) => option.includes(letter)).length;
    if (!known.includes(name) && warned.size < warned.add(name).size)
      console.warn(
        `Imprint: unknown option ${name}. Did you mean ${known.reduce((one, other) => (shared(other) > shared(one) ? other : one))}?`,
      );
  }
  return given;
};

/**
 * Checks what the page passed.
 *
 * @param defaultEndpoint address of this component's file
 * @param base address of the page, for an endpoint that is a path
 * @throws ImprintError `invalid_config`
 */
export const parseOptions = (options: ImprintOptions, defaultEndpoint?: string, base?: string): Config => {
  const given = checkOptions(options, ["timeoutMs", "storage", "endpoint", "environmentId", "consent"]);
  const { environmentId, endpoint = defaultEndpoint, storage = "all", timeoutMs = DEFAULT_TIMEOUT_MS, consent } = given;
  refuseUnless(
    () => /^env_[0-9a-f]{32}$/.test(environmentId as string),
    "environmentId: env_ and 32 lowercase hex digits, not a Workspace id.",
  );
  const found = endpoint ? attempt(() => ENDPOINT.exec(new URL(endpoint, base).href)) : undefined;
  refuseUnless(() => found, "endpoint: http(s) address without query.");
  const [, address, , isProxied] = found as RegExpExecArray;
  refuseUnless(() => ["all", "none"].includes(storage), "storage: all or none.");
  // setTimeout counts in 31 bits: a longer wait would end at once.
  refuseUnless(() => timeoutMs > 0 && timeoutMs < 2 ** 31, "timeoutMs: above 0.");
  return {
    environmentId: environmentId as string,
    urls: (isProxied ? PROXY_NAMES : NAMES).map((name) => `${address}${name}`),
    isProxied: !!isProxied,
    storage,
    timeoutMs,
    // An option that is there counts, though it be undefined: what should have set it may have been blocked.
    consent: async () => !("consent" in given) || (typeof consent === "function" ? consent() : consent),
  };
};

/** @throws ImprintError `invalid_config` */
export const checkSurface = (surface: string): void => {
  refuseUnless(() => /^[\w.:-]{1,64}$/.test(surface), "surface: 1 to 64 of A-Za-z0-9._:-");
};
