import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withValues } from "../../testing";
import { environmentTimeZone } from "./environment-time-zone";

const at = (timeZone: string, january: number, july: number) =>
  withValues(CAPTURED.chromium, { timezone: { timeZone, january, july } });

test.each([
  ["Paris with the clock of New York", at("Europe/Paris", 300, 240)],
  ["Tokyo with the clock of Greenwich", at("Asia/Tokyo", 0, 0)],
  ["Greenwich with the clock of Tokyo", at("UTC", -540, -540)],
])("catches %s as SUSPICIOUS", (_name, visit) => {
  expect(findingOf(environmentTimeZone, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["Paris", at("Europe/Paris", -60, -120)],
  ["the southern summer", at("Australia/Sydney", -660, -600)],
  ["half an hour", at("Asia/Kolkata", -330, -330)],
  ["a zone that moved by an hour", at("Asia/Almaty", -360, -360)],
  ["a season that follows an old law", at("America/Mexico_City", 360, 300)],
  ["a zone that this server does not know", at("Mars/Olympus", 0, 0)],
  ["a browser that does not name its zone", CAPTURED.chromium],
  ["Tor Browser", withValues(DESCRIBED.torBrowser, { timezone: { timeZone: "Europe/Paris" } })],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(environmentTimeZone, visit)).toBeUndefined();
});
