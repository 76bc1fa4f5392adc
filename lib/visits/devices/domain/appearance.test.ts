import { expect, test } from "vitest";

import { matchDevice } from "./match-device";
import { profileAfter } from "./profile";
import { daysLater, knownDevice, learntPopulation, particularDesktop } from "./testing";
import type { DeviceTraits } from "./traits";

const SOFTWARE = "llvmpipe, or similar";
const firefox = (changes: Partial<DeviceTraits> = {}) =>
  particularDesktop({
    ...{ browser: "firefox", engine: "gecko", cores: undefined, memory: undefined, architecture: "", canvas: "" },
    ...changes,
  });
const decideFor = (before: DeviceTraits, now: DeviceTraits, after: readonly DeviceTraits[] = []) => {
  const { deviceId, profile } = knownDevice(before);
  const later = after.reduce((known, traits, at) => profileAfter(known, traits, daysLater(at + 1)), profile);
  return matchDevice(
    { traits: now, at: daysLater(40), tokenOwner: { deviceId, profile: later } },
    undefined,
    learntPopulation(),
  );
};
const elsewhere = { gpu: "NVIDIA GeForce GTX 980, or similar", screen: "1920x1080x24@1/1920x1040" };

test.each<[string, DeviceTraits, DeviceTraits]>([
  [
    "Firefox drawn by software, on a machine with a card, other fonts and another screen",
    firefox({ gpu: SOFTWARE }),
    firefox({ ...elsewhere, fonts: "11111100001101001111" }),
  ],
  [
    "Firefox with a card, on a machine without one, in another language and on another screen",
    firefox(),
    firefox({ gpu: SOFTWARE, screen: "1280x720x24@1/1280x680", languages: "en-US" }),
  ],
  [
    "Firefox with a card, on a machine with another one, other fonts and another screen",
    firefox(),
    firefox({ ...elsewhere, fonts: "11111100001101001111" }),
  ],
  [
    "Chromium drawn by software, on one with more cores, other fonts and another screen",
    particularDesktop({ gpu: "ANGLE (Google, SwiftShader)" }),
    particularDesktop({ gpu: "ANGLE (Google, SwiftShader)", cores: 4, fonts: "1111", screen: "1x1" }),
  ],
])("a token of %s was copied, also on later days", (_name, before, now) => {
  expect(decideFor(before, now)).toMatchObject({ outcome: "token_rejected", contradiction: "hardware" });
  expect(decideFor(before, now, [before, before])).toMatchObject({ outcome: "token_rejected" });
});

test.each<[string, DeviceTraits, DeviceTraits, DeviceTraits[]]>([
  ["a remote session", firefox(), firefox({ gpu: SOFTWARE, screen: "1366x768x24@1" }), []],
  [
    "a remote session from a screen where fonts were added before",
    firefox(),
    firefox({ gpu: SOFTWARE, screen: "1366x768x24@1", fonts: "11111111" }),
    [firefox({ fonts: "11111111" })],
  ],
  ["new fonts and a new screen", firefox(), firefox({ fonts: "11111111", screen: "1366x768x24@1" }), []],
  [
    "new fonts and another language, drawn by software",
    firefox({ gpu: SOFTWARE }),
    firefox({ gpu: SOFTWARE, fonts: "1111", languages: "en-US", screen: "1366x768x24@1" }),
    [],
  ],
  [
    "graphics that were switched off",
    firefox(),
    firefox({ gpu: "", screen: "1366x768x24@1", fonts: "11111111", languages: "en-US" }),
    [],
  ],
  [
    "a driver's failure on a desk that it knows",
    firefox(),
    firefox({ gpu: SOFTWARE, screen: "1366x768x24@1", languages: "en-US", fonts: "1111" }),
    [firefox({ screen: "1366x768x24@1" }), firefox({ languages: "en-US" })],
  ],
  [
    "a browser that shows everybody the same",
    firefox({ gpu: SOFTWARE }),
    firefox({ ...elsewhere, fonts: "1111", isMasked: true }),
    [],
  ],
  [
    "Brave, which makes fonts up",
    particularDesktop({ browser: "brave", gpu: "ANGLE (Google, SwiftShader)" }),
    particularDesktop({ browser: "brave", fonts: "1111", screen: "1366x768x24@1", cores: 8 }),
    [],
  ],
])("%s is still the same device", (_name, before, now, after) => {
  expect(decideFor(before, now, after)).toMatchObject({ outcome: "linked", by: "token" });
});

test("a copier who is taken for the device on many days does not lock its owner out", () => {
  const owned = firefox({ gpu: SOFTWARE });
  const copies = Array.from({ length: 6 }, (_, day) =>
    firefox({ gpu: SOFTWARE, screen: `${day}`, languages: `${day}` }),
  );
  expect(decideFor(owned, owned, copies)).toMatchObject({ outcome: "linked", by: "token" });
});
