import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { type KnownDevice, LINK_CONFIDENCE_MIN, matchDevice, matchEvidence } from "./match-device";
import { unknownPopulation } from "./population";
import { daysLater, knownDevice, particularDesktop, START, stockIphone } from "./testing";
import type { DeviceTraits } from "./traits";

const SMALL = unknownPopulation(10);
const match = (traits: DeviceTraits, candidates: KnownDevice[], population = SMALL, days = 3) =>
  matchEvidence({ traits, at: daysLater(days) }, candidates, population);

describe("without a token", () => {
  test("a particular desktop is found again, with a confidence and the evidence it rests on", () => {
    const device = knownDevice(particularDesktop());
    const found = match(particularDesktop(), [device]);
    expect(found).toMatchObject({ outcome: "linked", deviceId: device.deviceId });
    expect(found.confidence).toBeGreaterThanOrEqual(LINK_CONFIDENCE_MIN);
    expect(found.evidence.map(({ fact }) => fact)).toEqual(
      expect.arrayContaining(["hardware", "locale", "screen", "fonts", "canvas", "network"]),
    );
  });

  test.each<[string, Partial<DeviceTraits>]>([
    ["an update of the browser", { browserMajor: 143, canvas: "1111111111111111" }],
    ["an update of the system", { systemVersion: "20.0.0" }],
    ["another network", { network: "hotel" }],
    ["another screen", { screen: "1920x1080x24@1/1920x1040" }],
    ["a font more", { fonts: "11111110001101001110" }],
    ["a picture that the browser no longer shows", { canvas: "" }],
  ])("%s alone does not make it another device", (_name, changes) => {
    const device = knownDevice(particularDesktop());
    expect(match(particularDesktop(changes), [device])).toMatchObject({ outcome: "linked", deviceId: device.deviceId });
  });

  test.each<[string, Partial<DeviceTraits>]>([
    ["another system", { system: "linux" }],
    ["another browser", { browser: "edge" }],
    ["another graphics card", { gpu: "ANGLE (Intel)" }],
    ["more memory", { memory: 8 }],
    ["another number of cores", { cores: 8 }],
    ["an older browser", { browserMajor: 141 }],
    ["an older system", { systemVersion: "15.0.0" }],
    ["other languages and fonts", { languages: "fr-FR", fonts: "0".repeat(20), network: "hotel" }],
  ])("%s makes it another device, whatever else agrees", (_name, changes) => {
    expect(match(particularDesktop(changes), [knownDevice(particularDesktop())]).outcome).toBe("new");
  });

  test("of two devices that explain the visit equally well, neither gets it", () => {
    const twins = [knownDevice(particularDesktop()), knownDevice(particularDesktop())];
    const found = match(particularDesktop(), twins);
    expect(found.outcome).toBe("new");
    expect(found.confidence).toBeLessThan(0.51);
  });

  test("a workspace full of devices asks for more than an empty one", () => {
    const device = knownDevice(particularDesktop());
    const changed = particularDesktop({ network: "hotel", screen: "1920x1080x24@1/1920x1040", canvas: "" });
    const confidences = [10, 10_000, 10_000_000].map(
      (devices) => match(changed, [device], unknownPopulation(devices)).confidence,
    );
    expect(confidences).toEqual([...confidences].sort((one, other) => other - one));
    expect(match(changed, [device], unknownPopulation(10_000_000)).outcome).toBe("new");
  });
});

describe("identical phones", () => {
  test.each<[string, Partial<DeviceTraits>, Partial<DeviceTraits>]>([
    ["the only phone of a young workspace", {}, {}],
    ["on the same network", { network: "home" }, { network: "home" }],
    [
      "with a rare language, in one household",
      { languages: "fo-FO", timeZone: "Atlantic/Faroe" },
      { languages: "fo-FO", timeZone: "Atlantic/Faroe" },
    ],
    ["of a rare model", { screen: "320x568x24@2" }, { screen: "320x568x24@2" }],
  ])("are never one device: %s", (_name, first, second) => {
    for (const devices of [0, 1, 1_000, 1_000_000]) {
      const found = match(stockIphone(second), [knownDevice(stockIphone(first))], unknownPopulation(devices), 0);
      expect(found).toMatchObject({ outcome: "new", isDistinctive: false });
    }
  });

  test.each<[string, DeviceTraits]>([
    ["tablets that ask for desktop sites", stockIphone({ screen: "1024x1366x24@2", fonts: "" })],
    [
      "copies of a virtual machine",
      particularDesktop({ gpu: "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)" }),
    ],
    ["containers without graphics", particularDesktop({ gpu: "", screen: "800x600x24@1/800x600", fonts: "" })],
    ["browsers that all show the same machine", particularDesktop({ isMasked: true })],
    ["Macs in Safari", stockIphone({ system: "macos", touchPoints: 0, screen: "1470x956x24@2/1470x919" })],
  ])("are never one device: %s", (_name, traits) => {
    expect(match(traits, [knownDevice(traits)], SMALL, 0)).toMatchObject({ outcome: "new", isDistinctive: false });
  });
});

describe("with a token", () => {
  const owner = knownDevice(particularDesktop());
  const decide = (traits: DeviceTraits, candidates: KnownDevice[] = []) =>
    matchDevice({ traits, at: daysLater(40), tokenOwner: owner }, candidates, SMALL);

  test("the token decides, however much changed", () => {
    const changed = particularDesktop({
      gpu: "other",
      cores: 4,
      memory: 8,
      screen: "",
      fonts: "",
      languages: "fr-FR",
      browserMajor: 180,
    });
    expect(decide(changed)).toEqual({ outcome: "linked", by: "token", deviceId: owner.deviceId });
    expect(decide(particularDesktop({ browserMajor: 141 }))).toMatchObject({ outcome: "linked", by: "token" });
  });

  test.each<[string, Partial<DeviceTraits>, string]>([
    ["another system", { system: "macos" }, "system"],
    ["another browser", { browser: "firefox" }, "browser"],
    ["a browser two versions older", { browserMajor: 140 }, "version"],
  ])("a token from %s was copied: no link to its owner", (_name, changes, contradiction) => {
    const decided = decide(particularDesktop(changes), [owner]);
    expect(decided).toMatchObject({
      outcome: "token_rejected",
      contradiction,
      ownerId: owner.deviceId,
      instead: { outcome: "new" },
    });
  });

  test.each<[string, Partial<DeviceTraits>, Partial<DeviceTraits>, string]>([
    ["a tablet that asks for desktop sites", { system: "linux" }, { system: "android" }, "linked"],
    ["and the same one back again", { system: "android" }, { system: "linux" }, "linked"],
    [
      "a phone's token on a desktop without touch",
      { system: "linux", touchPoints: 0 },
      { system: "android" },
      "token_rejected",
    ],
    ["a browser that tells no name", { browser: "unknown" }, {}, "linked"],
  ])("%s: %#", (_name, now, before, outcome) => {
    const tokenOwner = knownDevice(particularDesktop(before));
    expect(matchDevice({ traits: particularDesktop(now), at: START, tokenOwner }, [], SMALL)).toMatchObject({
      outcome,
    });
  });

  test("the copier is found again by its own evidence", () => {
    const copier = particularDesktop({
      system: "linux",
      systemVersion: "",
      gpu: "AMD Radeon Pro W7900",
      network: "attic",
    });
    const device = knownDevice(copier);
    expect(decide(copier, [device])).toMatchObject({
      outcome: "token_rejected",
      instead: { outcome: "linked", deviceId: device.deviceId },
    });
  });
});

const anyTraits = fc.record({
  browserMajor: fc.constantFrom(141, 142, 143),
  screen: fc.constantFrom("", "1920x1080x24@1/1920x1040", "3000x2000x24@1.75/3000x1952"),
  languages: fc.constantFrom("da-DK", "en-US"),
  timeZone: fc.constantFrom("Europe/Copenhagen", "America/New_York"),
  fonts: fc.constantFrom("", "11111100001101001110", "1".repeat(20)),
  canvas: fc.constantFrom("", "00c0ffee00c0ffee", "2222222222222222"),
  network: fc.constantFrom("", "home", "hotel"),
  cores: fc.constantFrom(undefined, 8, 20),
});

test("a confidence is a probability, the order of candidates does not matter and one more never helps another", () => {
  fc.assert(
    fc.property(anyTraits, fc.array(anyTraits, { maxLength: 5 }), fc.nat(100_000), (now, others, devices) => {
      const candidates = others.map((traits) => knownDevice(particularDesktop(traits)));
      const population = unknownPopulation(devices);
      const found = match(particularDesktop(now), candidates, population);
      expect(found.confidence).toBeGreaterThanOrEqual(0);
      expect(found.confidence).toBeLessThanOrEqual(1);
      const reversed = match(particularDesktop(now), [...candidates].reverse(), population);
      expect(reversed.outcome).toBe(found.outcome);
      expect(reversed.confidence).toBeCloseTo(found.confidence, 10);
      if (found.outcome === "linked") {
        const withTwin = [...candidates, knownDevice(particularDesktop(now))];
        const crowded = match(particularDesktop(now), withTwin, population);
        if (crowded.outcome === "linked" && crowded.deviceId === found.deviceId)
          expect(crowded.confidence).toBeLessThanOrEqual(found.confidence);
      }
    }),
  );
});
