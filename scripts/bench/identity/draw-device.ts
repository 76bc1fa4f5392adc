import type { FingerprintGenerator } from "fingerprint-generator";

import { FONTS } from "@/lib/contract/signal-lists";
import { ADDED_FONTS, BRAVE_SHARE, LOCALES, SYSTEM_FONTS } from "./assumptions";
import type { Random } from "../../common/random";
import type { World } from "./worlds";

export type Screen = {
  width: number;
  height: number;
  availWidth: number;
  availHeight: number;
  colorDepth: number;
  devicePixelRatio: number;
};

/** A device of the population as shipped; the stream changes a copy of it. */
export type Machine = {
  system: string;
  isMobile: boolean;
  isBrave: boolean;
  engine: "blink" | "gecko" | "webkit";
  userAgent: string;
  platform: string;
  vendor: string;
  hints: { platform: string; platformVersion: string; model: string; architecture: string } | undefined;
  cores: number;
  memory: number | undefined;
  touchPoints: number;
  gpuVendor: string;
  gpu: string;
  /** Driver and text settings that affect only rendered images. */
  rendering: number;
  screen: Screen;
  fonts: string;
  language: string;
  timeZone: string;
};

/** The generator cannot be seeded: it uses `Math.random`, which is replaced during the call. */
function generate(generator: FingerprintGenerator, random: Random, isMobile: boolean, iphones: number) {
  const system = random.chance(iphones) ? "ios" : "android";
  const original = Math.random;
  Math.random = random.next;
  try {
    return generator.getFingerprint(
      isMobile ? { devices: ["mobile"], operatingSystems: [system] } : { devices: ["desktop"] },
    ).fingerprint;
  } finally {
    Math.random = original;
  }
}

function systemOf(userAgent: string): string {
  if (/iPhone|iPad/.test(userAgent)) return "ios";
  if (userAgent.includes("Android")) return "android";
  if (userAgent.includes("Windows")) return "windows";
  if (userAgent.includes("CrOS")) return "chromeos";
  return userAgent.includes("Mac OS X") ? "macos" : "linux";
}

function engineOf(userAgent: string): Machine["engine"] {
  if (/Chrom(?:e|ium)\//.test(userAgent)) return "blink";
  return /Gecko\/\d/.test(userAgent) ? "gecko" : "webkit";
}

/** Font digits as in `FONTS`: those included with the system and those added. */
function drawFonts(random: Random, system: string): string {
  const fonts = new Set(SYSTEM_FONTS[system]);
  for (const { share, fonts: added, on } of ADDED_FONTS)
    if (on.includes(system) && random.chance(share)) for (const font of added) fonts.add(font);
  return FONTS.map((font) => (fonts.has(font) ? "1" : "0")).join("");
}

/** Values unknown to the networks are null at run time, whatever the types say. */
const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function drawMachine(
  generator: FingerprintGenerator,
  random: Random,
  { desktops, iphones }: Pick<World, "desktops" | "iphones">,
): Machine {
  const isMobile = !random.chance(desktops);
  const { navigator, screen, videoCard } = generate(generator, random, isMobile, iphones);
  const system = systemOf(navigator.userAgent);
  const engine = engineOf(navigator.userAgent);
  const [language, timeZone] = LOCALES[random.weighted(LOCALES.map(([, , share]) => share))] ?? ["en-US", "UTC"];
  const hints = navigator.userAgentData;
  const isBrave =
    !isMobile && engine === "blink" && !navigator.userAgent.includes("Edg/") && random.chance(BRAVE_SHARE);
  return {
    system,
    isMobile,
    isBrave,
    engine,
    userAgent: navigator.userAgent,
    platform: navigator.platform,
    vendor: navigator.vendor,
    hints:
      engine === "blink"
        ? {
            platform: hints.platform,
            platformVersion: text(hints.platformVersion),
            model: text(hints.model),
            architecture: text(hints.architecture),
          }
        : undefined,
    cores: navigator.hardwareConcurrency,
    memory: engine === "blink" ? (navigator.deviceMemory ?? undefined) : undefined,
    touchPoints: navigator.maxTouchPoints ?? 0,
    gpuVendor: videoCard.vendor,
    gpu: videoCard.renderer,
    rendering: random.weighted([0.55, 0.25, 0.12, 0.08]),
    screen: {
      width: screen.width,
      height: screen.height,
      availWidth: screen.availWidth,
      availHeight: screen.availHeight,
      colorDepth: screen.colorDepth,
      devicePixelRatio: screen.devicePixelRatio,
    },
    fonts: drawFonts(random, system),
    language,
    timeZone,
  };
}
