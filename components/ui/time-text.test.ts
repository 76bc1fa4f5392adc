import { expect, test } from "vitest";

import { hourText, instantText, relativeTime } from "./time-text";

const now = new Date("2026-11-21T07:12:04.000Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test.each([
  [0, "just now"],
  [1, "just now"],
  [8, "8 seconds ago"],
  [60, "1 min ago"],
  [59 * 60, "59 min ago"],
  [3600, "1 hour ago"],
  [86_399, "23 hours ago"],
  [86_400 * 2, "2 days ago"],
  [-3 * 86_400, "in 3 days"],
  [86_400 * 31, "21 Oct 2026"],
])("%d seconds before now reads “%s”", (seconds, text) => {
  expect(relativeTime(ago(seconds), now)).toBe(text);
});

test("an instant is written in UTC and says so, whatever the machine's time zone", () => {
  expect(instantText(now)).toBe("21 Nov 2026, 07:12:04 UTC");
  expect(hourText(new Date("2026-11-21T00:00:00Z"))).toBe("00:00");
});

test("an instant in another zone shows its UTC offset, also across midnight", () => {
  expect(instantText(now, "Asia/Kolkata")).toBe("21 Nov 2026, 12:42:04 UTC+5:30");
  expect(instantText(now, "America/Los_Angeles")).toBe("20 Nov 2026, 23:12:04 UTC-8");
});
