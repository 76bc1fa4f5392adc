import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { type KnownDevice, LINK_CONFIDENCE_MIN, matchDevice, matchEvidence, type Neighbourhood } from "./match-device";
import { unknownPopulation } from "./population";
import {
  daysLater,
  homeOf,
  knownDevice,
  learntPopulation,
  particularDesktop,
  observation,
  START,
  stockIphone,
} from "./testing";
import { dayOf } from "./profile";
import type { DeviceTraits } from "./traits";

const DAY = 30;
const LEARNT = learntPopulation();
const match = (traits: DeviceTraits, neighbourhood: Neighbourhood, population = LEARNT) =>
  matchEvidence({ traits, at: daysLater(DAY) }, neighbourhood, population);
const atHome = (traits: DeviceTraits, device: KnownDevice, population = LEARNT) =>
  match(traits, homeOf(device, DAY), population);

describe("without a token", () => {
  test("the only machine of its model in a network is recognised, with a confidence and its evidence", () => {
    const device = knownDevice(particularDesktop());
    const found = atHome(particularDesktop(), device);
    expect(found).toMatchObject({ outcome: "linked", deviceId: device.deviceId, stratum: "desktop/0/0/0" });
    expect(found.confidence).toBeGreaterThanOrEqual(LINK_CONFIDENCE_MIN);
    expect(found.confidence).toBeLessThan(1);
    expect(found.evidence.map(({ fact }) => fact)).toEqual(
      expect.arrayContaining(["locale", "screen", "fonts", "canvas"]),
    );
  });

  test("an exact twin in another home is never linked", () => {
    const device = knownDevice(particularDesktop());
    expect(match(particularDesktop(), { observations: [], devices: [device] })).toMatchObject({
      because: "unknown_model",
    });
    expect(match(particularDesktop(), undefined)).toMatchObject({ outcome: "new", because: "shared_network" });
  });

  test("nothing is linked before anything was learnt", () => {
    const device = knownDevice(particularDesktop());
    expect(atHome(particularDesktop(), device, unknownPopulation(10_000))).toMatchObject({ because: "closed" });
  });

  test.each([
    ["few tokens came back", { returned: 200, links: 100, wrong: 0 }, "closed"],
    ["links were disproved by tokens", { returned: 2_000, links: 900, wrong: 30 }, "closed"],
    ["one link in twenty was wrong", { returned: 20_000, links: 1_000, wrong: 50 }, "doubtful"],
  ])("nothing is linked if %s", (_name, tally, because) => {
    const device = knownDevice(particularDesktop());
    const population = { ...unknownPopulation(100), tallies: { "desktop/0/0/0": tally } };
    expect(atHome(particularDesktop(), device, population)).toMatchObject({ outcome: "new", because });
  });

  test.each<[string, Partial<DeviceTraits>]>([
    ["an update of the browser", { browserMajor: 143, canvas: "1111111111111111" }],
    ["an update of the system", { systemVersion: "20.0.0" }],
    ["another screen", { screen: "1920x1080x24@1/1920x1040" }],
    ["an added font", { fonts: "11111110001101001110" }],
    ["a canvas that the browser no longer shows", { canvas: "" }],
  ])("%s alone does not make it another device", (_name, changes) => {
    const device = knownDevice(particularDesktop());
    expect(atHome(particularDesktop(changes), device)).toMatchObject({ outcome: "linked", deviceId: device.deviceId });
  });

  test.each<[string, Partial<DeviceTraits>]>([
    ["an older browser", { browserMajor: 141 }],
    ["an older system", { systemVersion: "15.0.0" }],
    ["other fonts", { fonts: "0".repeat(20) }],
    ["another picture in the same version", { canvas: "1111111111111111" }],
    ["another language and screen", { languages: "fr-FR", screen: "1920x1080x24@1/1920x1040" }],
  ])("%s makes it another device even if everything else agrees", (_name, changes) => {
    expect(atHome(particularDesktop(changes), knownDevice(particularDesktop())).outcome).toBe("new");
  });

  test("a visit that the only known machine cannot have sent is counted as that of another machine", () => {
    const found = atHome(particularDesktop({ systemVersion: "15.0.0" }), knownDevice(particularDesktop()));
    expect(found).toMatchObject({ because: "other_machine", stratum: "desktop/0/0/-/other-" });
    const doubtful = atHome(particularDesktop({ fonts: "0".repeat(20) }), knownDevice(particularDesktop()));
    expect(doubtful).toMatchObject({ because: "doubtful", stratum: "desktop/0/0/0" });
  });

  test("while second machines appear more often than before, nothing is linked", () => {
    const device = knownDevice(particularDesktop());
    const counted = { returned: 2_000, links: 900, wrong: 0, met: { all: 3_000, lately: 200 } };
    const others = (lately: number) => ({
      "desktop/0/0/0": counted,
      "desktop/3/2/-/other-": { returned: 0, links: 0, wrong: 0, met: { all: 30, lately } },
    });
    expect(atHome(particularDesktop(), device, learntPopulation(others(2)))).toMatchObject({ outcome: "linked" });
    expect(atHome(particularDesktop(), device, learntPopulation(others(12)))).toMatchObject({ because: "closed" });
  });

  const twin = knownDevice(particularDesktop());
  test.each<[string, NonNullable<Neighbourhood>["observations"], string]>([
    [
      "two tokens in use over the same period",
      [observation(twin, 0, 29), observation(twin, 3, 28)],
      "several_machines",
    ],
    [
      "two tokens linked to one device by mistake",
      [observation(twin, 0, 20), observation(twin, 10, 29)],
      "several_machines",
    ],
    [
      "a machine that left, lives on elsewhere, and has an identical successor",
      [observation(twin, 0, 14, { lastDayAnywhere: dayOf(daysLater(28)) }), observation(twin, 16, 29)],
      "several_machines",
    ],
    [
      "a machine that left within a day, lives on elsewhere, and has an identical successor",
      [observation(twin, 14, 14, { lastDayAnywhere: dayOf(daysLater(28)) }), observation(twin, 16, 29)],
      "several_machines",
    ],
    ["one token seen on a single day", [observation(twin, 10, 10)], "unknown_model"],
    ["one token not seen for a month", [observation(twin, -20, -5)], "unknown_model"],
    ["one token known since yesterday", [observation(twin, 29, 30)], "known_too_short"],
    [
      "storage that is wiped after each visit",
      [observation(twin, 0, 29), ...Array.from({ length: 8 }, (_, day) => observation(twin, day, day))],
      "wiped_storage",
    ],
    [
      "a crowd",
      Array.from({ length: 65 }, (_, day) => observation(twin, 0, 29, { isSameModel: day === 0 })),
      "crowded_network",
    ],
  ])("a network with %s identifies no machine", (_name, observations, because) => {
    expect(match(particularDesktop(), { observations, devices: [twin] })).toMatchObject({ outcome: "new", because });
  });

  test("a private window kept open past the end of a UTC day is no second machine", () => {
    const device = knownDevice(particularDesktop());
    const observations = [observation(device, 0, 29), observation(device, 10, 11)];
    expect(match(particularDesktop(), { observations, devices: [device] })).toMatchObject({ outcome: "linked" });
  });

  test("a token that was cleared and replaced, here or on a journey, is still one machine", () => {
    const device = knownDevice(particularDesktop());
    for (const lastDayAnywhere of [12, 15].map((day) => dayOf(daysLater(day)))) {
      const observations = [observation(device, 0, 12, { lastDayAnywhere }), observation(device, 15, 29)];
      expect(match(particularDesktop(), { observations, devices: [device] })).toMatchObject({ outcome: "linked" });
    }
  });
});

describe("identical phones", () => {
  test.each<[string, DeviceTraits]>([
    ["iPhones", stockIphone()],
    ["iPhones with a rare language", stockIphone({ languages: "fo-FO", timeZone: "Atlantic/Faroe" })],
    ["tablets in desktop-site mode", stockIphone({ screen: "1024x1366x24@2", fonts: "" })],
    [
      "copies of a virtual machine",
      particularDesktop({ gpu: "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)" }),
    ],
    ["containers without graphics", particularDesktop({ gpu: "", screen: "800x600x24@1/800x600", fonts: "" })],
    ["browsers that all show the same machine", particularDesktop({ isMasked: true })],
    ["Macs in Safari", stockIphone({ system: "macos", touchPoints: 0, screen: "1470x956x24@2/1470x919" })],
  ])("are never merged: %s", (_name, traits) => {
    expect(atHome(traits, knownDevice(traits))).toMatchObject({ outcome: "new", because: "shows_nobody" });
  });
});

describe("with a token", () => {
  const owner = knownDevice(particularDesktop());
  const decide = (traits: DeviceTraits, neighbourhood?: Neighbourhood) =>
    matchDevice({ traits, at: daysLater(40), tokenOwner: owner }, neighbourhood, LEARNT);

  test("the token decides, however much of the browser changed", () => {
    const changed = particularDesktop({ screen: "", fonts: "", languages: "fr-FR", browserMajor: 180 });
    expect(decide(changed)).toEqual({ outcome: "linked", by: "token", deviceId: owner.deviceId, swapped: [] });
    expect(decide(particularDesktop({ browserMajor: 141 }))).toMatchObject({ outcome: "linked", by: "token" });
  });

  test.each<[string, Partial<DeviceTraits>, string[]]>([
    ["another graphics card", { gpu: "ANGLE (AMD, AMD Radeon RX 6700 XT Direct3D11 vs_5_0 ps_5_0, D3D11)" }, ["gpu"]],
    ["another number of cores", { cores: 8 }, ["cores"]],
    ["less memory", { memory: 4 }, ["memory"]],
    [
      "a driver that names the card differently",
      { gpu: "ANGLE (NVIDIA Corporation, Quadro RTX 5000/PCIe/SSE2, OpenGL 4.5.0)" },
      [],
    ],
    ["software rendering", { gpu: "ANGLE (Google, SwiftShader Device, SwiftShader driver)" }, []],
    ["a browser that shows everybody the same machine", { isMasked: true, gpu: "Mozilla", cores: 4 }, []],
    ["more memory than browsers used to report", { memory: 16 }, []],
  ])("%s alone is still the same device; a changed part is reported", (_name, changes, swapped) => {
    expect(decide(particularDesktop(changes))).toMatchObject({ by: "token", deviceId: owner.deviceId, swapped });
  });

  test.each<[string, Partial<DeviceTraits>, string]>([
    ["another system", { system: "macos" }, "system"],
    ["another browser", { browser: "firefox" }, "browser"],
    ["a browser two versions older", { browserMajor: 140 }, "version"],
    ["another machine", { gpu: "ANGLE (Intel, Intel(R) UHD Graphics 620)", cores: 8 }, "hardware"],
  ])("a token presented by %s was copied and does not lead to its owner", (_name, changes, contradiction) => {
    expect(decide(particularDesktop(changes))).toMatchObject({
      outcome: "token_rejected",
      contradiction,
      ownerId: owner.deviceId,
      instead: { outcome: "new" },
    });
  });

  test.each<[string, Partial<DeviceTraits>, Partial<DeviceTraits>, string]>([
    ["a tablet that switches to desktop-site mode", { system: "linux" }, { system: "android" }, "linked"],
    ["a tablet that switches back", { system: "android" }, { system: "linux" }, "linked"],
    [
      "a phone's token on a desktop without touch",
      { system: "linux", touchPoints: 0 },
      { system: "android" },
      "token_rejected",
    ],
    ["a browser that does not name itself", { browser: "unknown" }, {}, "linked"],
  ])("%s: %#", (_name, now, before, outcome) => {
    const tokenOwner = knownDevice(particularDesktop(before));
    expect(matchDevice({ traits: particularDesktop(now), at: START, tokenOwner }, undefined, LEARNT)).toMatchObject({
      outcome,
    });
  });

  test("the copier's own device is recognised by its evidence", () => {
    const copier = particularDesktop({ system: "linux", systemVersion: "", gpu: "AMD Radeon Pro W7900" });
    const device = knownDevice(copier);
    expect(decide(copier, homeOf(device, 40))).toMatchObject({
      outcome: "token_rejected",
      instead: { outcome: "linked", deviceId: device.deviceId },
    });
  });
});

const OBSERVED = fc.record({
  firstDay: fc.integer({ min: -100, max: 30 }),
  length: fc.nat(60),
  isSameModel: fc.boolean(),
});

describe("property", () => {
  test("a confidence is a probability below 1 and does not depend on the order of the observations", () => {
    fc.assert(
      fc.property(fc.array(OBSERVED, { maxLength: 12 }), fc.nat(2_000), fc.nat(20), (seen, links, wrong) => {
        const device = knownDevice(particularDesktop());
        const observations = seen.map(({ firstDay, length, isSameModel }) =>
          observation(device, firstDay, Math.min(30, firstDay + length), { isSameModel }),
        );
        const population = learntPopulation({ "desktop/4/3/2": { returned: 2 * links, links, wrong } });
        const at = daysLater(30);
        const sent = { traits: particularDesktop(), at };
        const found = matchEvidence(sent, { observations, devices: [device] }, population);
        expect(found.confidence).toBeGreaterThanOrEqual(0);
        expect(found.confidence).toBeLessThan(1);
        expect(
          matchEvidence(sent, { observations: [...observations].reverse(), devices: [device] }, population),
        ).toEqual(found);
      }),
    );
  });

  test("a network in which two tokens of the model were in use over the same period never has a link", () => {
    fc.assert(
      fc.property(fc.array(OBSERVED, { maxLength: 8 }), fc.nat(20), fc.nat(20), (seen, from, overlap) => {
        const device = knownDevice(particularDesktop());
        const observations = [
          ...seen.map(({ firstDay, length }) => observation(device, firstDay, Math.min(30, firstDay + length))),
          observation(device, -from - 5, 20 + (overlap % 10)),
          observation(device, -from, 25),
        ];
        const found = matchEvidence(
          { traits: particularDesktop(), at: daysLater(30) },
          { observations, devices: [device] },
          learntPopulation(),
        );
        expect(found.outcome).toBe("new");
      }),
    );
  });
});
