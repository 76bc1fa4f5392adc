import type { Signals } from "@/lib/contract/signals";

import type { OperatingSystemFamily } from "./families";
import type { Compared } from "./rule";
import { groupValue } from "./visit";

/** Systems on which a browser has a window of its own inside a screen. */
export const isDesktop = (system: OperatingSystemFamily): boolean => ["windows", "macos", "linux"].includes(system);

/** A window may overlap its screen by the invisible borders that systems draw around it, in CSS pixels. */
export const MAX_OVERLAP = 40;

/**
 * No window is made narrower than this, in CSS pixels: where everything is shown at three times its size, a small screen
 * is. Measured on Chromium 156; Firefox stops at less.
 */
const NARROWEST_WINDOW = 500;

export type WindowFacts = {
  /** The page fills its window: no tabs, no address bar, no borders. */
  isFrameless: boolean;
  /** The window covers its whole screen, as in full-screen and kiosk mode. */
  isFullScreen: boolean;
  /** The window is larger than its screen. */
  isTooLarge: boolean;
  /** It is so in one direction only and has borders of its own, as where it lies over two screens side by side. */
  mayStretch: boolean;
  compared: Compared[];
};

/** How the window, the page in it and the screen relate; undefined where one of them has no size. */
export function windowFacts(signals: Signals, maxOverlap = MAX_OVERLAP): WindowFacts | undefined {
  const {
    width = 0,
    height = 0,
    outerWidth = 0,
    outerHeight = 0,
    innerWidth = 0,
    innerHeight = 0,
  } = groupValue(signals, "screen") ?? {};
  if (width === 0 || height === 0 || outerWidth === 0 || outerHeight === 0) return undefined;
  const isFrameless = innerWidth === outerWidth && innerHeight === outerHeight;
  const isWider = outerWidth > Math.max(width, NARROWEST_WINDOW) + maxOverlap;
  const isHigher = outerHeight > height + maxOverlap;
  return {
    isFrameless,
    isFullScreen: outerWidth === width && outerHeight === height,
    isTooLarge: isWider || isHigher,
    mayStretch: isWider !== isHigher && !isFrameless,
    compared: [
      { label: "Window", value: `${outerWidth} x ${outerHeight}`, isOdd: true },
      { label: "Page inside the window", value: `${innerWidth} x ${innerHeight}`, isOdd: isFrameless },
      { label: "Screen", value: `${width} x ${height}`, isOdd: false },
    ],
  };
}
