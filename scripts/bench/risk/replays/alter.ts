/** How somebody who replays a visit changes it, so that no two are equal. */

/** A repeatable source of chance. @param {number} seed */
export function createChance(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { next, below, pick: (items) => items[below(items.length)] };
}

const clone = (value) => JSON.parse(JSON.stringify(value));
const valueOf = (submission, name) => submission.signals[name]?.value;

const SCREENS = [
  [1280, 720],
  [1440, 900],
  [1536, 864],
  [1600, 900],
  [1680, 1050],
  [1920, 1080],
  [1920, 1200],
  [2560, 1440],
];
const hex = (chance, length) => Array.from({ length }, () => chance.below(16).toString(16)).join("");

/** Another screen, canvas, set of fonts and timings: what a person who replays changes first. */
export function altered(submission, chance) {
  const changed = clone(submission);
  const screen = valueOf(changed, "screen");
  const [width, height] = chance.pick(SCREENS);
  if (screen) {
    const [outerWidth, outerHeight] = [width - chance.below(200), height - 40 - chance.below(100)];
    const browserHeight = screen.outerHeight - screen.innerHeight;
    const inner = { innerWidth: outerWidth, innerHeight: outerHeight - browserHeight };
    Object.assign(screen, {
      width,
      height,
      availWidth: width,
      availHeight: height - 40,
      outerWidth,
      outerHeight,
      ...inner,
    });
  }
  const canvas = valueOf(changed, "canvas");
  if (canvas?.hash) canvas.hash = hex(chance, canvas.hash.length);
  const fonts = changed.signals.fonts;
  if (fonts?.value) {
    const digits = [...fonts.value];
    for (let count = 1 + chance.below(4); count > 0; count -= 1)
      digits[chance.below(digits.length)] = chance.pick(["0", "1"]);
    fonts.value = digits.join("");
  }
  const vary = (value) =>
    typeof value === "number" ? Math.max(1, Math.round(value * (0.6 + chance.next() * 0.9))) : value;
  changed.timings = {
    ...changed.timings,
    total: vary(changed.timings.total),
    challenge: vary(changed.timings.challenge),
  };
  changed.timings.signals = Object.fromEntries(
    Object.entries(changed.timings.signals ?? {}).map(([name, value]) => [name, vary(value)]),
  );
  return changed;
}

const KEPT = ["navigator", "page", "engine", "uaData"];

/** Thirteen of the seventeen groups are left out: those that cost work to make. */
export function shortened(submission) {
  const changed = clone(submission);
  changed.signals = Object.fromEntries(Object.entries(changed.signals).filter(([name]) => KEPT.includes(name)));
  return changed;
}

const GRAPHICS = [
  "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)",
  "ANGLE (AMD, AMD Radeon RX 6600 (radeonsi navi23), OpenGL 4.6)",
  "ANGLE (NVIDIA Corporation, NVIDIA GeForce RTX 3060/PCIe/SSE2, OpenGL 4.5)",
];

/** The same claims from a machine with another graphics card, processor, memory, screen, fonts and canvas. */
export function onOtherHardware(submission, chance) {
  const changed = altered(submission, chance);
  const hardwareConcurrency = chance.pick([12, 16, 24]);
  const renderer = chance.pick(GRAPHICS);
  for (const name of ["navigator", "worker", "iframe"]) {
    const realm = valueOf(changed, name);
    if (!realm) continue;
    realm.hardwareConcurrency = hardwareConcurrency;
    if (realm.deviceMemory !== undefined) realm.deviceMemory = 32;
    if (realm.renderer !== undefined) realm.renderer = renderer;
  }
  const webgl = valueOf(changed, "webgl");
  if (webgl) Object.assign(webgl, { renderer, limits: webgl.limits?.map((limit) => limit * 2) });
  return changed;
}
