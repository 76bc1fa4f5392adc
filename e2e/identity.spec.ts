import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { startChromium, startFirefox } from "./identity/browsers";
import { live, liveResisting, type Observed } from "./identity/life";
import { openSite } from "./identity/identity-site";

/** Eleven browser starts, on a machine that may be busy. */
const LIVES_TIMEOUT_MS = 10 * 60_000;

/** Expected device of each visit relative to the first one: with a rare graphics card, and without a graphics card. */
const TABLE = [
  ["first visit", "new", "new"],
  ["restart, another screen", "same", "same"],
  ["two tabs at once", "one device", "one device"],
  ["cleared storage", "same", "new"],
  ["private window", "same", "new"],
  ["second profile", "same", "new"],
  ["second profile, nothing learnt yet", "new", "new"],
  ["no storage, another screen", "same", "new"],
  ["no storage, another graphics card", "new", "new"],
  ["no storage, two tabs at once", "two devices", "two devices"],
] as const;

/** The same for Firefox with resistFingerprinting, which shows everyone the same machine. */
const RESISTING_TABLE = [
  ["first visit", "new"],
  ["restart", "same"],
  ["cleared storage", "new"],
  ["second profile", "new"],
] as const;

const { db } = await createTestDatabase();
const world = { db, site: await openSite() };
let observed: Record<"Chromium" | "Firefox" | "resisting", Observed>;

const liveInFirefox = async () => [await live(world, "firefox", startFirefox), await liveResisting(world)] as const;

beforeAll(async () => {
  const lives = [live(world, "chromium", startChromium), liveInFirefox()] as const;
  // Waits even if one fails, so that no browser is left running.
  await Promise.allSettled(lives);
  const [chromium, [firefox, resisting]] = await Promise.all(lives);
  observed = { Chromium: chromium, Firefox: firefox, resisting };
}, LIVES_TIMEOUT_MS);
afterAll(() => {
  world.site.close();
});

describe.each(["Chromium", "Firefox"] as const)("%s", (browser) => {
  test.each(TABLE)("%s: %s with a rare graphics card, %s without one", (visit, rare, plain) => {
    expect(observed[browser].get(visit)).toEqual([rare, plain]);
  });
});

test.each(RESISTING_TABLE)("Firefox with resistFingerprinting, %s: %s", (visit, expected) => {
  expect(observed.resisting.get(visit)).toBe(expected);
});
