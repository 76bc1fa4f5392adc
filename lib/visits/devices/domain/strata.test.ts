import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { describeControl } from "./link-control";
import {
  controlOf,
  parseStratum,
  stratumName,
  stratumOf,
  type Tallies,
  type Tally,
  upperBound,
  MAX_WRONG_LINKS,
} from "./strata";

const placeOf = {
  system: fc.constantFrom("desktop" as const, "handheld" as const),
  crowd: fc.nat(4),
  model: fc.nat(3),
};
const stratum = fc.record({
  ...placeOf,
  age: fc.option(fc.nat(2), { nil: undefined }),
});
const anyName = fc.oneof(
  stratum,
  fc.record({ ...placeOf, age: fc.constant(undefined), isOtherMachine: fc.constant(true as const) }),
);
const tally = fc
  .tuple(fc.nat(3_000), fc.nat(2_000), fc.nat(100))
  .map(([returned, links, wrong]) => ({ returned, links, wrong: Math.min(wrong, links, returned) }));

test("a stratum's name contains all of its fields", () => {
  fc.assert(
    fc.property(anyName, (at) => {
      expect(parseStratum(stratumName(at))).toEqual(at);
    }),
  );
});

test("the more other devices around a visit, the riskier its stratum", () => {
  const of = (others: number, modelShare: number, ageDays: number) =>
    stratumOf({ isHandheld: false, others, modelShare, ageDays });
  expect(of(0, 0.0001, 40)).toEqual({ system: "desktop", crowd: 0, model: 0, age: 0 });
  expect(of(500, 0.3, 2)).toEqual({ system: "desktop", crowd: 4, model: 3, age: 2 });
});

test("Wilson's upper bound: ruling out rare events takes hundreds of trials", () => {
  expect(upperBound(0, 0)).toBe(1);
  expect(upperBound(0, 210)).toBeGreaterThan(0.0125);
  expect(upperBound(0, 215)).toBeLessThan(0.0125);
  expect(upperBound(10, 1_000)).toBeGreaterThan(0.015);
});

describe("control of links", () => {
  const at = (name: string, tallies: Tallies) => controlOf(parseStratum(name), tallies);
  const SAFE = { returned: 900, links: 400, wrong: 0 };
  const BAD = { returned: 900, links: 400, wrong: 40 };

  test("nothing is open while nothing is known", () => {
    expect(at("desktop/0/0/0", {})).toMatchObject({ bound: 1, isAlarmed: false, odds: 1 });
  });

  test("evidence from riskier strata counts for safer ones, never the other way round", () => {
    expect(at("desktop/0/0/0", { "desktop/2/1/1": SAFE }).bound).toBeLessThan(MAX_WRONG_LINKS);
    expect(at("desktop/2/1/1", { "desktop/0/0/0": SAFE })).toMatchObject({ bound: 1, isAlarmed: false, odds: 1 });
  });

  test("a bad riskier stratum does not close a safer one that has its own evidence", () => {
    const tallies = { "desktop/0/0/0": SAFE, "desktop/3/3/2": BAD };
    expect(at("desktop/0/0/0", tallies).bound).toBeLessThan(MAX_WRONG_LINKS);
    expect(at("desktop/3/3/2", tallies).bound).toBeGreaterThan(MAX_WRONG_LINKS);
  });

  test("evidence from phones counts for desktops as long as desktops have none against it", () => {
    expect(at("desktop/0/0/0", { "handheld/1/1/1": SAFE }).bound).toBeLessThan(MAX_WRONG_LINKS);
    const disproved = { "handheld/1/1/1": SAFE, "desktop/0/0/0": { returned: 50, links: 50, wrong: 5 } };
    expect(at("desktop/0/0/0", disproved).bound).toBeGreaterThan(MAX_WRONG_LINKS);
  });

  test("links to machines known longest are not closed by errors at machines known for less time", () => {
    const tallies = { "desktop/0/0/0": SAFE, "desktop/0/0/2": BAD };
    expect(at("desktop/0/0/0", tallies).bound).toBeLessThan(MAX_WRONG_LINKS);
    expect(at("desktop/0/0/2", tallies).bound).toBeGreaterThan(MAX_WRONG_LINKS);
  });

  test("places that were safe for months close as soon as links there go wrong more often than before", () => {
    const safe = (recent: Tally["recent"]) => ({
      returned: 2_300,
      links: 900,
      wrong: recent?.wrong ?? 0,
      ...(recent && { recent }),
    });
    const alarmAfter = (wrong: number, name = "desktop/0/0/0") =>
      at(name, { "desktop/0/0/0": safe({ returned: 300, wrong }), "desktop/2/2/0": safe(undefined) }).isAlarmed;
    expect(alarmAfter(1)).toBe(false);
    expect(alarmAfter(4)).toBe(true);
    expect(alarmAfter(4, "desktop/2/2/0")).toBe(true);
    const [closed] = describeControl({ "desktop/0/0/0": safe({ returned: 300, wrong: 4 }) }).places;
    expect(closed).toMatchObject({ isOpen: false, isAlarmed: true });
    expect(closed?.bound).toBeLessThan(MAX_WRONG_LINKS);
    const riskier = { "desktop/0/0/0": safe(undefined), "desktop/2/2/0": safe({ returned: 300, wrong: 4 }) };
    expect(at("desktop/0/0/0", riskier)).toMatchObject({ isAlarmed: false });
  });

  describe("machines that are certainly second ones", () => {
    /** A workspace in which nothing was disproved, with visits that a known machine may have made and others. */
    const withOthers = (all: number, lately: number, links = { all: 3_000, lately: 200 }): Tallies => ({
      "desktop/0/0/0": { ...SAFE, met: links },
      "desktop/2/1/-/other-": { returned: 0, links: 0, wrong: 0, met: { all, lately } },
    });
    const isLinking = (tallies: Tallies) => describeControl(tallies).places.map(({ isOpen }) => isOpen);

    test("hold back every link once more of them appear than before, though no token disproved a link yet", () => {
      const tallies = withOthers(40, 12);
      expect(at("desktop/0/0/0", tallies)).toMatchObject({ isAlarmed: false, areOthersArriving: true });
      expect(at("desktop/0/0/0", tallies).bound).toBeLessThan(MAX_WRONG_LINKS);
      expect(isLinking(tallies)).toEqual([false]);
    });

    test.each([
      ["as many as before appear", withOthers(170, 12)],
      ["few appear, though none did before", withOthers(2, 2)],
      ["more links are made than before, by more visitors", withOthers(28, 4, { all: 3_600, lately: 800 })],
      ["nothing earlier is known", withOthers(12, 12, { all: 200, lately: 200 })],
      ["an earlier release counted none", { "desktop/0/0/0": SAFE }],
    ])("close nothing if %s", (_name, tallies) => {
      expect(isLinking(tallies)).toEqual([true]);
    });

    test("never open what disproved links closed", () => {
      const tallies = { ...withOthers(0, 0), "desktop/0/0/0": { ...BAD, met: { all: 3_000, lately: 200 } } };
      expect(isLinking(tallies)).toEqual([false]);
    });
  });

  test("one more wrong link never opens a stratum or raises its odds", () => {
    fc.assert(
      fc.property(stratum, fc.array(fc.tuple(stratum, tally), { maxLength: 6 }), fc.nat(5), (where, list, index) => {
        const tallies = Object.fromEntries(list.map(([place, counted]) => [stratumName(place), counted]));
        const names = Object.keys(tallies);
        const name = names[index % Math.max(1, names.length)];
        const counted = name === undefined ? undefined : tallies[name];
        if (name === undefined || counted === undefined || counted.wrong >= Math.min(counted.links, counted.returned))
          return;
        const worse = { ...tallies, [name]: { ...counted, wrong: counted.wrong + 1 } };
        const [before, after] = [controlOf(where, tallies), controlOf(where, worse)];
        expect(after.bound).toBeGreaterThanOrEqual(before.bound);
        expect(after.odds).toBeLessThanOrEqual(before.odds);
      }),
    );
  });

  test("the description lists each kind of place, including closed ones", () => {
    const control = describeControl({
      "desktop/0/0/0": SAFE,
      "desktop/3/3/2": BAD,
      "desktop/0/0/-": { returned: 5, links: 0, wrong: 0 },
    });
    expect(control).toMatchObject({ returned: 1_805, links: 800, wrong: 40 });
    expect(control.places.map(({ isOpen, known }) => [isOpen, known])).toEqual([
      [true, "14 days or more"],
      [false, "2 to 4 days"],
    ]);
  });
});
