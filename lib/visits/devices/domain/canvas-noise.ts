type Browser = { family: string; engine: string };
type Canvas = { isStable: boolean; solidFillErrors: number };

/** Browsers on Chromium that change what a page reads back from a canvas, and where that is written or was measured. */
const NOISY_FAMILIES: Readonly<Record<string, string>> = {
  brave: "Brave, 'Fingerprinting protections': canvas is farbled per session and site",
  "samsung-internet": "thumbmarkjs issues 76 and 103: another picture with each reload",
  duckduckgo: "DuckDuckGo content-scope-scripts, feature fingerprintingCanvas",
};

/** Engines whose current releases add noise in ordinary windows, and from which version on. */
const NOISY_ENGINES: Readonly<Record<string, string>> = {
  gecko: "Firefox 120 and later; measured with Firefox 153 ESR: another picture in each session, by default",
  webkit: "Safari 17 and later, 'Advanced Tracking and Fingerprinting Protection'; older ones are left out with them",
  unknown: "nothing is known of it",
};

/**
 * Whether a canvas may serve identity. Noise that stays the same for a session passes every test of the page, so the
 * browsers that add it are named; whoever is caught by the page's tests is left out too.
 */
export const drawsWithoutNoise = ({ family, engine }: Browser, canvas: Canvas | undefined): boolean =>
  canvas !== undefined &&
  !Object.hasOwn(NOISY_ENGINES, engine) &&
  !Object.hasOwn(NOISY_FAMILIES, family) &&
  canvas.isStable &&
  canvas.solidFillErrors === 0;
