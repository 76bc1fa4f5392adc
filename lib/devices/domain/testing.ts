import type { KnownDevice } from "./match-device";
import { profileAfter } from "./profile";
import type { DeviceTraits } from "./traits";

export const DAY = 86_400_000;
export const START = new Date(Date.UTC(2026, 5, 1));
export const daysLater = (days: number) => new Date(START.getTime() + days * DAY);

/** A desktop with a graphics card, fonts and a screen that few others have. */
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
  network: "home",
  isMasked: false,
  ...changes,
});

/** The most frequent phone there is: every other one of its model shows exactly this. */
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
  network: "home",
  isMasked: false,
  ...changes,
});

let last = 0;

/** A device that was seen once, on the first day. */
export const knownDevice = (traits: DeviceTraits): KnownDevice => ({
  deviceId: `dev_${String((last += 1)).padStart(32, "0")}`,
  profile: profileAfter(undefined, traits, START),
});
