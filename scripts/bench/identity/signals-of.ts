import type { Signals } from "@/lib/contract/signals";
import type { Visit } from "@/lib/visits/risk";
import { RELEASES } from "./assumptions";
import type { Machine } from "./draw-device";
import { majorIn, type StreamVisit } from "./stream";

/** 64 bits in hex derived from a string, in place of a hash of pixels. */
function pictureOf(text: string): string {
  return [0x811c9dc5, 0x2545f491]
    .map((start) => {
      let hash = start;
      for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
      return (hash >>> 0).toString(16).padStart(8, "0");
    })
    .join("");
}

/** Number of releases up to `major` that changed the rendering of this graphics card. */
const redrawings = (gpu: string, first: number, major: number): number =>
  Array.from({ length: Math.max(0, major - first) }, (_, index) => pictureOf(`${gpu} ${first + index}`)).filter(
    (hash) => Number.parseInt(hash.slice(-4), 16) / 2 ** 16 < RELEASES.canvasChanges,
  ).length;

/**
 * Firefox, Safari and Brave randomise the canvas per session; other browsers have one per graphics card, driver and
 * release.
 */
function canvasOf({ machine, gpu, major, session }: StreamVisit): string {
  if (machine.engine !== "blink" || machine.isBrave) return pictureOf(`${session}`);
  const systemMajor = machine.hints?.platformVersion.split(".")[0];
  const drawn = redrawings(gpu, majorIn(machine.userAgent), major);
  return pictureOf([machine.system, gpu, machine.rendering, systemMajor, drawn].join("|"));
}

function userAgentOf({ machine, major, minor }: StreamVisit): string {
  const first = majorIn(machine.userAgent);
  if (machine.engine === "webkit")
    return machine.userAgent.replace(
      /Version\/(\d+)\.(\d+)/,
      (_, v: string, m: string) => `Version/${v}.${Number(m) + minor}`,
    );
  return machine.userAgent.replaceAll(`/${first}.`, `/${major}.`).replaceAll(`rv:${first}.`, `rv:${major}.`);
}

const ok = <T>(value: T) => ({ state: "ok" as const, value });

function brandOf(machine: Machine): string {
  if (machine.isBrave) return "Brave";
  return machine.userAgent.includes("Edg") ? "Microsoft Edge" : "Google Chrome";
}

/** Firefox reports 2 or 4 depending on the kind of window; Brave reports a random number per session. */
function coresOf({ machine, isPrivate, session }: StreamVisit): number {
  if (machine.isBrave) return 2 + (session % 7);
  return machine.engine === "gecko" && isPrivate ? 4 : machine.cores;
}

/** The submission that the browser component would send for this visit. */
export function visitOf(visit: StreamVisit): Visit {
  const { machine, major, screen, gpu } = visit;
  const userAgent = userAgentOf(visit);
  const version = String(major);
  const brands = [
    { brand: "Chromium", version },
    { brand: brandOf(machine), version },
  ];
  const signals: Signals = {
    navigator: ok({
      userAgent,
      platform: machine.platform,
      language: machine.language,
      languages: [machine.language],
      vendor: machine.vendor,
      hardwareConcurrency: coresOf(visit),
      ...(machine.memory === undefined || machine.isBrave ? {} : { deviceMemory: machine.memory }),
      maxTouchPoints: machine.touchPoints,
      isBrave: machine.isBrave,
      webdriver: false,
    }),
    ...(machine.hints === undefined ? {} : { uaData: ok({ ...machine.hints, brands, mobile: machine.isMobile }) }),
    engine: ok({ family: machine.engine }),
    screen: ok({ ...screen, media: "0" }),
    timezone: ok({ timeZone: visit.timeZone }),
    webgl: ok({ vendor: machine.gpuVendor, renderer: gpu, limits: [] }),
    canvas: ok({ hash: canvasOf(visit), isStable: true, solidFillErrors: 0 }),
    fonts: ok(machine.fonts),
  };
  return { signals, request: { userAgent, acceptLanguage: machine.language, clientHints: {} } };
}

/** The first visit of a newly shipped machine, from no particular place. */
export const firstVisitOf = (machine: Machine, session: number): Visit =>
  visitOf({
    device: 0,
    day: 0,
    machine,
    major: majorIn(machine.userAgent),
    minor: 0,
    screen: machine.screen,
    timeZone: machine.timeZone,
    gpu: machine.gpu,
    token: 0,
    isPrivate: false,
    session,
    network: "",
  });
