/** How an attacker varies a replayed visit so that no two are equal. */
import type { Random } from "../../../common/random";
import type { Submission } from "../capture-proxy";

const SCREENS: [[number, number], ...[number, number][]] = [
  [1280, 720],
  [1440, 900],
  [1536, 864],
  [1600, 900],
  [1680, 1050],
  [1920, 1080],
  [1920, 1200],
  [2560, 1440],
];
const hex = (random: Random, length: number) => Array.from({ length }, () => random.below(16).toString(16)).join("");

/** Changes the screen, canvas, fonts and timings: what an attacker who replays changes first. */
export function altered(submission: Submission, random: Random): Submission {
  const changed = structuredClone(submission);
  const { screen, canvas, fonts } = changed.signals;
  const [width, height] = random.pick(SCREENS);
  if (screen?.state === "ok") {
    const [outerWidth, outerHeight] = [width - random.below(200), height - 40 - random.below(100)];
    const browserHeight = (screen.value.outerHeight ?? 0) - (screen.value.innerHeight ?? 0);
    Object.assign(screen.value, {
      ...{ width, height, availWidth: width, availHeight: height - 40, outerWidth, outerHeight },
      ...{ innerWidth: outerWidth, innerHeight: outerHeight - browserHeight },
    });
  }
  if (canvas?.state === "ok") canvas.value.hash = hex(random, canvas.value.hash.length);
  if (fonts?.state === "ok") {
    const digits = fonts.value.split("");
    for (let count = 1 + random.below(4); count > 0; count -= 1)
      digits[random.below(digits.length)] = random.pick(["0", "1"]);
    fonts.value = digits.join("");
  }
  const vary = (value: number) => Math.max(1, Math.round(value * (0.6 + random.next() * 0.9)));
  const { total, challenge, signals } = changed.timings;
  changed.timings = {
    total: vary(total),
    challenge: vary(challenge),
    signals: Object.fromEntries(Object.entries(signals).map(([name, value]) => [name, vary(value)])),
  };
  return changed;
}

/** A run of a slow machine, in milliseconds. */
const SLOW = { uaData: 18, webgl: 21, worker: 147, canvas: 59, iframe: 98, fonts: 364 };

/** Changes nothing but the durations, each by a tenth at most, as if a slow machine had been captured. */
export function retimed(submission: Submission, random: Random): Submission {
  const vary = (ms: number) => Math.round(ms * (0.9 + 0.2 * random.next()));
  const challenge = vary(480);
  const durations = { ...submission.timings.signals, ...SLOW };
  const signals = Object.fromEntries(Object.entries(durations).map(([name, ms]) => [name, vary(Math.min(ms, 400))]));
  return { ...submission, timings: { total: challenge + 9, challenge, signals } };
}

const KEPT = ["navigator", "page", "engine", "uaData"];

/** Omits thirteen of the seventeen groups: those that are costly to forge. */
export const shortened = (submission: Submission): Submission => ({
  ...structuredClone(submission),
  signals: Object.fromEntries(Object.entries(submission.signals).filter(([name]) => KEPT.includes(name))),
});

const GRAPHICS: [string, ...string[]] = [
  "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)",
  "ANGLE (AMD, AMD Radeon RX 6600 (radeonsi navi23), OpenGL 4.6)",
  "ANGLE (NVIDIA Corporation, NVIDIA GeForce RTX 3060/PCIe/SSE2, OpenGL 4.5)",
];

/** The same claims from a machine with a different graphics card, processor, memory, screen, fonts and canvas. */
export function onOtherHardware(submission: Submission, random: Random): Submission {
  const changed = altered(submission, random);
  const { navigator, worker, iframe, webgl } = changed.signals;
  const hardwareConcurrency = random.pick([12, 16, 24]);
  const renderer = random.pick(GRAPHICS);
  for (const realm of [navigator, worker, iframe]) {
    if (realm?.state !== "ok") continue;
    realm.value.hardwareConcurrency = hardwareConcurrency;
    if (realm.value.deviceMemory !== undefined) realm.value.deviceMemory = 32;
    if ("renderer" in realm.value) realm.value.renderer = renderer;
  }
  if (webgl?.state === "ok")
    Object.assign(webgl.value, { renderer, limits: webgl.value.limits.map((limit) => limit * 2) });
  return changed;
}
