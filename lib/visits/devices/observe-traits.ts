import type { Signals } from "@/lib/contract/signals";
import type { Identity, PrivacyProfile, Visit } from "@/lib/visits/risk";
import { drawsWithoutNoise } from "./domain/canvas-noise";
import { type DeviceTraits, isHandheld } from "./domain/traits";

type Group<Name extends keyof Signals> = Extract<Signals[Name], { state: "ok" }>["value"];

function valueOf<Name extends keyof Signals>(signals: Signals, name: Name): Group<Name> | undefined {
  const group: Signals[Name] = signals[name];
  return group?.state === "ok" ? group.value : undefined;
}

/**
 * Handheld devices swap width and height when turned. The work area is kept only for desktops, which are not turned.
 */
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

/** Extracts the traits that identity compares, without facts that the browser is known to fake. */
export function observeTraits({ signals }: Visit, { identity, profile }: Known): DeviceTraits {
  const page = valueOf(signals, "navigator");
  const hints = valueOf(signals, "uaData");
  const { family: browser, engine, majorVersion } = identity.browser;
  const system = identity.operatingSystem.family;
  // Brave varies both per session, Firefox reports 2 or 4 cores depending on the kind of window, and WebKit reports a
  // constant.
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
    // Only the first language: private windows of Chromium hide the others.
    languages: page?.language ?? page?.languages?.[0] ?? "",
    timeZone: timeZoneText(valueOf(signals, "timezone")),
    fonts: valueOf(signals, "fonts") ?? "",
    canvas: drawsWithoutNoise(identity.browser, valueOf(signals, "canvas"))
      ? (valueOf(signals, "canvas")?.hash ?? "")
      : "",
    isMasked: profile === "gecko-rfp" || profile === "tor",
  };
}
