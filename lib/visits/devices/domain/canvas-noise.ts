type Browser = { family: string; engine: string };
type Canvas = { isStable: boolean; solidFillErrors: number };

/** Chromium-based browsers that alter what a page reads back from a canvas, with the source or measurement. */
const NOISY_FAMILIES: Readonly<Record<string, string>> = {
  brave: "Brave, 'Fingerprinting protections': canvas is farbled per session and site",
  "samsung-internet": "thumbmarkjs issues 76 and 103: another picture with each reload",
  duckduckgo: "DuckDuckGo content-scope-scripts, feature fingerprintingCanvas",
};

/**
 * Engines that add noise in some of their releases, windows or settings, which a page cannot tell apart. Firefox 153 ESR
 * on Linux drew the component's picture alike in each of 30 sessions: ordinary, headless and private windows, strict tracking
 * protection and `fingerprintingProtection`. Only `resistFingerprinting` drew another one each time, which the page's
 * own checks show.
 */
const NOISY_ENGINES: Readonly<Record<string, string>> = {
  gecko: "Mozilla, dev-platform, 'Intent to ship: canvas randomization in private windows', Firefox 120",
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
