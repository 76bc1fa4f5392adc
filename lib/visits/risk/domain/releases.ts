import { EMBEDDED_FAMILIES, type EngineFamily } from "./families";
import type { Engine } from "./feature-versions";
import { majorOf, type ParsedUserAgent } from "./user-agent";

/** `version` is the one that dates the engine: the major version of Chromium, major and minor of Safari. */
export type Release = { engine: Engine; version: string; major: number };

const isTold = (engine: EngineFamily, family: ParsedUserAgent["family"]) =>
  (engine === "blink" && !EMBEDDED_FAMILIES.includes(family)) ||
  (engine === "gecko" && family === "firefox") ||
  (engine === "webkit" && family === "safari");

/** The engine release that a user agent claims. Undefined if its version number says nothing about the engine. */
export function releaseOf(claimed: ParsedUserAgent): Release | undefined {
  const { engine, family } = claimed;
  const major = engine === "blink" ? claimed.chromiumMajorVersion : majorOf(claimed.version);
  if (engine === "unknown" || major === undefined || !isTold(engine, family)) return undefined;
  const version = engine === "webkit" ? (/^\d+(?:\.\d+)?/.exec(claimed.version ?? "")?.[0] ?? `${major}`) : `${major}`;
  return { engine, version, major };
}
