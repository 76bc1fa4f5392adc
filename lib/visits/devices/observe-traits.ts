import type { Signals } from "@/lib/contract/signals";
import type { Identity, PrivacyProfile, Visit } from "@/lib/visits/risk";
import { drawsWithoutNoise } from "./domain/canvas-noise";
import { type DeviceTraits, isHandheld } from "./domain/traits";

type Group<Name extends keyof Signals> = Extract<Signals[Name], { state: "ok" }>["value"];

function valueOf<Name extends keyof Signals>(signals: Signals, name: Name): Group<Name> | undefined {
  const group: Signals[Name] = signals[name];
  return group?.state === "ok" ? group.value : undefined;
}

/** Turning the device swaps the sides; what the system's bars leave free is kept where nobody turns the screen. */
function screenText(screen: Group<"screen"> | undefined, isHandheld: boolean): string {
  if (screen?.width === undefined || screen.height === undefined) return "";
  const { width, height, availWidth = 0, availHeight = 0, colorDepth = 0, devicePixelRatio = 1 } = screen;
  const sides = isHandheld ? [Math.min(width, height), Math.max(width, height)] : [width, height];
  const ratio = Math.round(devicePixelRatio * 100) / 100;
  const workArea = isHandheld ? "" : `/${availWidth}x${availHeight}`;
  return `${sides.join("x")}x${colorDepth}@${ratio}${workArea}`;
}

function timeZoneText(zone: Group<"timezone"> | undefined): string {
  if (zone === undefined) return "";
  return zone.timeZone ?? `${zone.january ?? ""}/${zone.july ?? ""}`;
}

type Known = { identity: Identity; profile: PrivacyProfile };

/** What identity compares of a visit. Facts that a browser is known to make up are left out. */
export function observeTraits({ signals }: Visit, { identity, profile }: Known): DeviceTraits {
  const page = valueOf(signals, "navigator");
  const hints = valueOf(signals, "uaData");
  const { family: browser, engine, majorVersion } = identity.browser;
  const system = identity.operatingSystem.family;
  // Brave varies both by session; Firefox answers 2 or 4 by the kind of window, WebKit a constant.
  const tellsCores = engine === "blink" && browser !== "brave";
  return {
    browser,
    system,
    engine,
    browserMajor: majorVersion,
    systemVersion: /^\d+(?:\.\d+)*$/.test(hints?.platformVersion ?? "") ? (hints?.platformVersion ?? "") : "",
    gpu: valueOf(signals, "webgl")?.renderer ?? "",
    cores: tellsCores ? page?.hardwareConcurrency : undefined,
    memory: tellsCores ? page?.deviceMemory : undefined,
    touchPoints: page?.maxTouchPoints,
    model: hints?.model ?? "",
    architecture: hints?.architecture ?? "",
    screen: screenText(valueOf(signals, "screen"), isHandheld({ system })),
    // The first alone: private windows of Chromium hide the others.
    languages: page?.language ?? page?.languages?.[0] ?? "",
    timeZone: timeZoneText(valueOf(signals, "timezone")),
    fonts: valueOf(signals, "fonts") ?? "",
    canvas: drawsWithoutNoise(identity.browser, valueOf(signals, "canvas"))
      ? (valueOf(signals, "canvas")?.hash ?? "")
      : "",
    isMasked: profile === "gecko-rfp" || profile === "tor",
  };
}
