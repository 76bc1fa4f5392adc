import fc from "fast-check";
import { expect, test } from "vitest";

import { matchDevice } from "./match-device";
import { type DeviceProfile, profileAfter } from "./profile";
import { daysLater, homeOf, learntPopulation, particularDesktop, START, stockIphone } from "./testing";
import type { DeviceTraits } from "./traits";

const POPULATION = learntPopulation();

const match = (profile: DeviceProfile, traits: DeviceTraits, days: number) =>
  matchDevice({ traits, at: daysLater(days), tokenOwner: { deviceId: "dev_", profile } }, undefined, POPULATION);

/** The profile after a visit with the device's token. Unchanged if the token is refused. */
const visitWithToken = (profile: DeviceProfile, traits: DeviceTraits, days: number): DeviceProfile =>
  match(profile, traits, days).outcome === "linked" ? profileAfter(profile, traits, daysLater(days)) : profile;

const owners = fc.constantFrom(
  particularDesktop(),
  particularDesktop({ browser: "unknown" }),
  particularDesktop({ system: "android", touchPoints: 5 }),
  particularDesktop({ system: "linux", touchPoints: 5 }),
  particularDesktop({ system: "unknown", browserMajor: undefined }),
  stockIphone(),
);

/** Traits that somebody with a copied token may show. */
const forgeries = fc.record({
  browser: fc.constantFrom("chrome", "firefox", "safari", "unknown"),
  system: fc.constantFrom("windows", "linux", "android", "ios", "unknown"),
  browserMajor: fc.constantFrom(undefined, 26, 142, 143, 150, 999),
  systemVersion: fc.constantFrom("", "19.0.0", "99.0.0"),
  touchPoints: fc.constantFrom(undefined, 0, 5, 10),
  gpu: fc.constantFrom("Apple GPU", "ANGLE (Intel)", particularDesktop().gpu),
  cores: fc.constantFrom(undefined, 4, 20),
});

const copies = fc.array(fc.tuple(forgeries, fc.nat(3)), { maxLength: 12 });

test("visits with a copied token never get the owner's token refused, whatever they show and on however many days", () => {
  fc.assert(
    fc.property(owners, copies, fc.nat(40), (owner, visits, updates) => {
      let profile = profileAfter(undefined, owner, START);
      let day = 0;
      for (const [forged, daysOn] of visits) {
        day += daysOn;
        profile = visitWithToken(profile, { ...owner, ...forged }, day);
        const now = owner.browserMajor === undefined ? owner : { ...owner, browserMajor: owner.browserMajor + updates };
        for (const traits of [owner, now])
          expect(match(profile, traits, day)).toMatchObject({ outcome: "linked", by: "token" });
      }
    }),
  );
});

test("visits with a copied token on a single day leave the device recognisable without its token", () => {
  fc.assert(
    fc.property(fc.array(forgeries, { maxLength: 6 }), (visits) => {
      const owner = particularDesktop();
      let profile = profileAfter(undefined, owner, START);
      for (const forged of visits) profile = visitWithToken(profile, { ...owner, ...forged }, 1);
      const cleared = matchDevice(
        { traits: owner, at: daysLater(2), tokenOwner: undefined },
        homeOf({ deviceId: "dev_owner", profile }, 2),
        POPULATION,
      );
      expect(cleared).toMatchObject({ outcome: "linked", by: "evidence", deviceId: "dev_owner" });
    }),
  );
});

test("a visit that omits facts, followed by one that reports different ones, leaves the device recognisable without its token", () => {
  const owner = particularDesktop();
  const silent = { ...owner, browserMajor: undefined, systemVersion: "", cores: undefined };
  let profile = profileAfter(undefined, owner, START);
  for (const shown of [silent, { ...silent, cores: 4 }]) profile = visitWithToken(profile, shown, 1);
  expect(profile.latest).toMatchObject({ cores: 20, browserMajor: 142, systemVersion: "19.0.0" });
  expect(
    matchDevice(
      { traits: owner, at: daysLater(2), tokenOwner: undefined },
      homeOf({ deviceId: "dev_owner", profile }, 2),
      POPULATION,
    ),
  ).toMatchObject({ outcome: "linked", by: "evidence", deviceId: "dev_owner" });
});

test("a profile of 0.1.0 checks tokens against its latest traits", () => {
  const stored = profileAfter(undefined, particularDesktop(), START);
  delete stored.first;
  const profile = visitWithToken(stored, particularDesktop({ browserMajor: 999 }), 1);
  expect(match(profile, particularDesktop(), 2)).toMatchObject({ outcome: "linked", by: "token" });
  expect(match(profile, particularDesktop({ browserMajor: 140 }), 2)).toMatchObject({ outcome: "token_rejected" });
});

test("a higher version counts once a later day shows it again, up to the version seen on both days", () => {
  const at = (browserMajor: number) => particularDesktop({ browserMajor });
  let profile = profileAfter(undefined, at(142), START);
  const shown: (number | undefined)[] = [];
  for (const [major, day] of [
    [143, 1],
    [143, 1],
    [145, 2],
    [145, 3],
    [150, 4],
    [145, 5],
  ] as const) {
    profile = profileAfter(profile, at(major), daysLater(day));
    shown.push(profile.latest.browserMajor);
  }
  expect(shown).toEqual([142, 142, 143, 145, 145, 145]);
  expect(profile.held).toBeUndefined();
});

test("a different graphics card is accepted on the second day; until then the previous one stays", () => {
  const other = particularDesktop({ gpu: "AMD Radeon Pro W7900" });
  const first = profileAfter(undefined, particularDesktop(), START);
  const once = profileAfter(first, other, daysLater(1));
  expect(once).toMatchObject({ ...first, held: { traits: other } });
  expect(profileAfter(once, other, daysLater(1))).toEqual(once);
  const twice = profileAfter(once, other, daysLater(2));
  expect(twice.latest).toEqual(other);
  expect(profileAfter(once, particularDesktop(), daysLater(2)).held).toBeUndefined();
});

test("a profile remembers the values that a device returns to: four screens, three locales", () => {
  let profile = profileAfter(undefined, particularDesktop(), START);
  for (let index = 0; index < 12; index += 1)
    profile = profileAfter(
      profile,
      particularDesktop({ screen: `screen ${index}`, timeZone: `zone ${index}` }),
      daysLater(index),
    );
  expect(profile.screens).toEqual(["screen 11", "screen 10", "screen 9", "screen 8"]);
  expect(profile.locales).toHaveLength(3);
  const back = profileAfter(profile, particularDesktop({ screen: "screen 9" }), daysLater(13));
  expect(back.screens[0]).toBe("screen 9");
  expect(back.screens).toHaveLength(4);
});
