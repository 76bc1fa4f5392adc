type Browser = { family: string; engine: string };
type Canvas = { isStable: boolean; solidFillErrors: number };

/** Chromium-based browsers that alter what a page reads back from a canvas, with the source or measurement. */
const NOISY_FAMILIES: Readonly<Record<string, string>> = {
  brave: "Brave, 'Fingerprinting protections': canvas is farbled per session and site",
  "samsung-internet": "thumbmarkjs issues 76 and 103: another picture with each reload",
  duckduckgo: "DuckDuckGo content-scope-scripts, feature fingerprintingCanvas",
};

/**
 * Engines that alter what some ways of reading return, or some windows, in a way that a page cannot tell. Firefox 153
 * ESR on Linux: `toDataURL` returned another file in each of 14 sessions, in ordinary windows too, for pictures of any
 * size. `getImageData`, which the component uses, returned the same pixels in all of 44, ordinary, private and protected;
 * only with `resistFingerprinting` are they others each time, which the page's own checks show.
 */
const NOISY_ENGINES: Readonly<Record<string, string>> = {
  gecko: "Firefox 120 and later, by the way of reading; measured with Firefox 153 ESR",
  webkit: "Safari 17 and later, 'Advanced Tracking and Fingerprinting Protection'; older versions are excluded too",
  unknown: "unknown behaviour",
};

/**
 * Whether a canvas can be used for identity. Noise that is constant for a session passes every check in the page, so
 * browsers that add it are listed here. Browsers that fail the page's checks are excluded as well.
 */
export const drawsWithoutNoise = ({ family, engine }: Browser, canvas: Canvas | undefined): boolean =>
  canvas !== undefined &&
  !Object.hasOwn(NOISY_ENGINES, engine) &&
  !Object.hasOwn(NOISY_FAMILIES, family) &&
  canvas.isStable &&
  canvas.solidFillErrors === 0;
