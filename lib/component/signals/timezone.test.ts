import { afterEach, expect, test, vi } from "vitest";

import { readTimezone } from "./timezone";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("zone from Temporal where there is one, else from Intl; offsets in minutes", () => {
  vi.stubGlobal("Temporal", { Now: { timeZoneId: () => "Pacific/Apia" } });
  expect(readTimezone().timeZone).toBe("Pacific/Apia");

  vi.stubGlobal("Temporal", undefined);
  const { timeZone, january, july, now } = readTimezone();
  expect(timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect([january, july]).toContain(now);
});
