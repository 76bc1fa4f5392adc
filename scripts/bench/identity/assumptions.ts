import type { Font } from "@/lib/contract/signal-lists";

/**
 * Assumptions of the synthetic stream. The population's browsers and hardware come from `fingerprint-generator`
 * (Apache-2.0), whose networks were learnt from real traffic; everything below is this project's own assumption, on the
 * generous side of what users report. `rate` multiplies every rate that the bench varies.
 */
export const STREAM_DAYS = 150;
export const MEAN_VISITS = 20;
/** Two out of three devices are desktops, in the generator's own mix: about 82 % Chrome, 8 % Edge, 10 % Safari. */
export const DESKTOP_SHARE = 2 / 3;
/**
 * Share of iOS among phones: between the world (about 28 % by public web statistics of 2025) and the United States
 * (about 57 %).
 */
export const IOS_SHARE = 0.4;

/** Probabilities per visit. */
export const PER_VISIT = { cleared: 0.05, languageChanged: 0.003, zoomed: 0.02 } as const;

/** Share of people who use private windows at all, and the share of their visits made there: 10 % of all visits. */
export const PRIVATE_WINDOWS = { people: 0.3, visits: 0.333 } as const;

/**
 * Safari deletes script-written storage after this many days without a visit (WebKit, Intelligent Tracking Prevention
 * 2.3).
 */
export const SAFARI_STORAGE_DAYS = 7;
/** Lifetime of a cookie set by the page's own server: the maximum that browsers grant, including Safari. */
export const COOKIE_DAYS = 400;

/**
 * Chromium and Firefox release every four weeks; people update some days later. A release changes the canvas output of
 * some graphics cards.
 */
export const RELEASES = { days: 28, meanDelayDays: 6, safariDays: 60, canvasChanges: 1 / 6 } as const;

/** Probabilities per device and 30 days. */
export const PER_MONTH = { systemUpdated: 0.3, fontsInstalled: 0.02, homeNetworkMoved: 0.2, gpuRenamed: 0.04 } as const;

/** Share of laptops with a second screen, and of their visits made at it. */
export const DOCKING = { devices: 0.3, visits: 0.4 } as const;
/** Share of laptops with two graphics cards, and how often the other one renders. */
export const TWO_GPUS = { devices: 0.02, visits: 0.2 } as const;

export const TRAVEL = { tripsPerMonth: 0.12, meanDays: 6 } as const;

/** Share of desktop Chrome. */
export const BRAVE_SHARE = 0.04;

export const NETWORKS = {
  /** Share of households with more than one device of the population. */
  sharedHome: 0.35,
  /** Share of desktops that also visit from an office, and how often. */
  office: { devices: 0.3, visits: 0.5, offices: 60 },
  /** Share of phone visits over a carrier; each carrier spreads its customers over a few prefixes. */
  carrier: { visits: 0.5, carriers: 6, prefixes: 12 },
} as const;

/** Share of desktops bought in a batch: identical except for their owner. */
export const FLEET_SHARE = 0.005;

/** Languages and time zones of a site with one home country and visitors from many others. */
export const LOCALES: readonly (readonly [language: string, timeZone: string, share: number])[] = [
  ["en-US", "America/New_York", 0.2],
  ["en-US", "America/Chicago", 0.13],
  ["en-US", "America/Los_Angeles", 0.1],
  ["en-US", "America/Denver", 0.04],
  ["en-GB", "Europe/London", 0.09],
  ["de-DE", "Europe/Berlin", 0.07],
  ["fr-FR", "Europe/Paris", 0.06],
  ["es-ES", "Europe/Madrid", 0.035],
  ["it-IT", "Europe/Rome", 0.035],
  ["nl-NL", "Europe/Amsterdam", 0.025],
  ["pl-PL", "Europe/Warsaw", 0.02],
  ["pt-BR", "America/Sao_Paulo", 0.04],
  ["es-MX", "America/Mexico_City", 0.025],
  ["en-CA", "America/Toronto", 0.03],
  ["en-AU", "Australia/Sydney", 0.025],
  ["ja-JP", "Asia/Tokyo", 0.03],
  ["en-IN", "Asia/Kolkata", 0.02],
  ["en-US", "Asia/Kolkata", 0.01],
  ["sv-SE", "Europe/Stockholm", 0.01],
  ["tr-TR", "Europe/Istanbul", 0.01],
  ["ko-KR", "Asia/Seoul", 0.01],
  ["en-US", "Europe/Berlin", 0.01],
  ["da-DK", "Europe/Copenhagen", 0.005],
  ["cs-CZ", "Europe/Prague", 0.005],
  ["uk-UA", "Europe/Kyiv", 0.005],
];

/** The fonts in `FONTS` that each system includes. */
export const SYSTEM_FONTS: Readonly<Record<string, readonly Font[]>> = {
  windows: ["Arial", "Calibri", "Comic Sans MS", "Consolas", "Segoe UI", "Tahoma", "SimSun"],
  macos: ["Arial", "Comic Sans MS", "Tahoma", "Helvetica Neue", "Menlo", "Geneva", "Gill Sans", "Futura"],
  ios: ["Arial", "Helvetica Neue", "Menlo", "Gill Sans", "Futura"],
  android: ["Roboto"],
  linux: ["DejaVu Sans", "Liberation Sans", "Noto Sans"],
  chromeos: ["Roboto", "Noto Sans"],
};

/** Fonts that people and their software add to desktops, in groups installed together. */
export const ADDED_FONTS: readonly { share: number; fonts: readonly Font[]; on: readonly string[] }[] = [
  { share: 0.06, fonts: ["DejaVu Sans", "Liberation Sans"], on: ["windows"] },
  { share: 0.3, fonts: ["Calibri", "Consolas"], on: ["macos"] },
  { share: 0.07, fonts: ["Roboto"], on: ["windows", "macos", "linux"] },
  { share: 0.05, fonts: ["Noto Sans"], on: ["windows", "macos"] },
  { share: 0.06, fonts: ["Meiryo"], on: ["windows"] },
  { share: 0.02, fonts: ["Helvetica Neue"], on: ["windows"] },
  { share: 0.02, fonts: ["Gill Sans"], on: ["windows"] },
  { share: 0.015, fonts: ["Futura"], on: ["windows"] },
  { share: 0.4, fonts: ["Ubuntu"], on: ["linux"] },
  { share: 0.3, fonts: ["Cantarell"], on: ["linux"] },
  { share: 0.02, fonts: ["Ubuntu"], on: ["windows", "macos"] },
];
