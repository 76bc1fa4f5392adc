import type { KnownDevice, Neighbourhood } from "./match-device";
import type { TokenObservation } from "./network-observations";
import { type Population, unknownPopulation } from "./population";
import { dayOf, profileAfter } from "./profile";
import type { Tallies } from "./strata";
import type { DeviceTraits } from "./traits";

export const DAY = 86_400_000;
export const START = new Date(Date.UTC(2026, 5, 1));
export const daysLater = (days: number) => new Date(START.getTime() + days * DAY);

/** A desktop with a rare graphics card, fonts and screen. */
export const particularDesktop = (changes: Partial<DeviceTraits> = {}): DeviceTraits => ({
  browser: "chrome",
  system: "windows",
  engine: "blink",
  browserMajor: 142,
  systemVersion: "19.0.0",
  gpu: "ANGLE (NVIDIA, NVIDIA Quadro RTX 5000 with Max-Q Design (0x00001EB5) Direct3D11 vs_5_0 ps_5_0, D3D11)",
  cores: 20,
  memory: 32,
  touchPoints: 10,
  model: "",
  architecture: "x86",
  screen: "3000x2000x24@1.75/3000x1952",
  languages: "da-DK",
  timeZone: "Europe/Copenhagen",
  fonts: "11111100001101001110",
  canvas: "00c0ffee00c0ffee",
  isMasked: false,
  ...changes,
});

/** The most common phone: every other one of its model shows exactly these traits. */
export const stockIphone = (changes: Partial<DeviceTraits> = {}): DeviceTraits => ({
  browser: "safari",
  system: "ios",
  engine: "webkit",
  browserMajor: 26,
  systemVersion: "",
  gpu: "Apple GPU",
  cores: undefined,
  memory: undefined,
  touchPoints: 5,
  model: "",
  architecture: "",
  screen: "393x852x24@3",
  languages: "en-US",
  timeZone: "America/New_York",
  fonts: "10000010001100000000",
  canvas: "",
  isMasked: false,
  ...changes,
});

let last = 0;

/** A device that was seen once, on the first day. */
export const knownDevice = (traits: DeviceTraits): KnownDevice => ({
  deviceId: `dev_${String((last += 1)).padStart(32, "0")}`,
  profile: profileAfter(undefined, traits, START),
});

/** A token of `device` in a network, with the days after the start on which it was first and last seen there. */
export const observation = (
  device: KnownDevice,
  firstDay: number,
  lastDay: number,
  rest: Partial<TokenObservation> = {},
): TokenObservation => ({
  tokenId: `token ${(last += 1)}`,
  deviceId: device.deviceId,
  isSameModel: true,
  firstDay: dayOf(daysLater(firstDay)),
  lastDay: dayOf(daysLater(lastDay)),
  lastDayAnywhere: dayOf(daysLater(lastDay)),
  days: lastDay > firstDay ? 5 : 1,
  ...rest,
});

/** A network in which only `device` has been seen, over the four weeks before `today`. */
export const homeOf = (device: KnownDevice, today: number): NonNullable<Neighbourhood> => ({
  observations: [observation(device, today - 28, today - 1)],
  devices: [device],
});

/** A workspace in which links have proved right everywhere. */
export const learntPopulation = (tallies: Tallies = {}): Population => ({
  ...unknownPopulation(2_000),
  tallies: {
    "desktop/4/3/2": { returned: 2_000, links: 900, wrong: 0 },
    "handheld/4/3/2": { returned: 2_000, links: 900, wrong: 0 },
    ...tallies,
  },
});
