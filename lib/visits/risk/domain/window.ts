import type { Signals } from "@/lib/contract/signals";

import type { OperatingSystemFamily } from "./families";
import type { Compared } from "./evidence";
import { groupValue } from "./visit";

/** Systems on which a browser has its own window within the screen. */
export const isDesktop = (system: OperatingSystemFamily): boolean => ["windows", "macos", "linux"].includes(system);

/** Overlap allowed for the invisible borders that systems draw around a window, in CSS pixels. */
export const MAX_OVERLAP = 40;

/**
 * Minimum width of a window, in CSS pixels. A small screen at three times the scale is narrower than that. Measured on
 * Chromium 156; the minimum of Firefox is lower.
 */
const NARROWEST_WINDOW = 500;

export type WindowFacts = {
  /** The page fills its window: no tabs, no address bar, no borders. */
  isFrameless: boolean;
  /** The window covers its whole screen, as in full-screen and kiosk mode. */
  isFullScreen: boolean;
  /** The window is larger than its screen. */
  isTooLarge: boolean;
  /** Only wider, with borders, and so is its page: it reaches over to another screen beside it. */
  isAcross: boolean;
  /** Too large in one direction only and with window borders, as if it spans two screens side by side. */
  mayStretch: boolean;
  compared: Compared[];
};

/** How the window, its page and the screen relate. Undefined if one of them has no size. */
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
  // Emulation that makes a page wider than the screen gives it no borders, or a window that is higher as well.
  const isAcross = isWider && !isHigher && !isFrameless && innerWidth > width + maxOverlap && innerHeight < outerHeight;
  return {
    isFrameless,
    isFullScreen: outerWidth === width && outerHeight === height,
    isTooLarge: isWider || isHigher,
    isAcross,
    mayStretch: isWider !== isHigher && !isFrameless,
    compared: [
      { label: "Window", value: `${outerWidth} x ${outerHeight}`, isOdd: true },
      { label: "Page inside the window", value: `${innerWidth} x ${innerHeight}`, isOdd: isFrameless },
      { label: "Screen", value: `${width} x ${height}`, isOdd: false },
    ],
  };
}
