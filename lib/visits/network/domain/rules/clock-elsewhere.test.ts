import { expect, test } from "vitest";
import { home, phone, server } from "../testing";
import { clockElsewhere } from "./clock-elsewhere";
import type { NetworkFacts } from "../network-facts";

const check = (observed: NetworkFacts, offsetsMinutes: number[], countryOffsetsMinutes = [60]) =>
  clockElsewhere.check({
    observed,
    consistency: "UNKNOWN",
    clock: { label: "zone", offsetsMinutes, countryOffsetsMinutes },
  });

test("network.clock-elsewhere: is SUSPICIOUS for homes, phones and companies whose browser's clock does not match the country", () => {
  for (const observed of [home(), phone(), home({ connectionType: "corporate" })]) {
    expect(check(observed, [420])?.status).toBe("SUSPICIOUS");
  }
});

test("network.clock-elsewhere: formats the country's clocks for people", () => {
  const { compared } = check(home(), [420], [-210, 0, 345]) ?? { compared: [] };
  expect(compared.map(({ value }) => value)).toEqual(["zone", "Germany", "UTC-03:30, UTC+00:00, UTC+05:45"]);
  expect(compared.every(({ isPlace }) => isPlace)).toBe(true);
});

test("network.clock-elsewhere: compares with all zones of the country", () => {
  expect(check(phone(), [-480], [-600, -480, -300])).toBeUndefined();
});

test("network.clock-elsewhere: accepts either the named zone or the counted offset", () => {
  expect(check(home(), [420, 60])).toBeUndefined();
});

test.each<[string, NetworkFacts]>([
  ["servers", server()],
  ["exits", server({ connectionType: "proxy" })],
  ["networks of unknown kind", home({ connectionType: "unknown" })],
  ["countries on which the sources differ", home({ countryAgrees: false })],
  ["countries that one source alone names", home({ countryAgrees: undefined })],
])("network.clock-elsewhere: leaves %s alone", (_name, observed) => {
  expect(check(observed, [420])).toBeUndefined();
});

test("network.clock-elsewhere: leaves a hidden clock and a country without known zones alone", () => {
  expect(clockElsewhere.check({ observed: home(), consistency: "UNKNOWN" })).toBeUndefined();
  expect(check(home(), [420], [])).toBeUndefined();
  expect(check(home(), [])).toBeUndefined();
});
