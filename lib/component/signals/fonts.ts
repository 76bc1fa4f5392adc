import { FONTS } from "@/lib/contract/signal-lists";

import { bitmap, yieldTask } from "../read";

/** A look-up takes a millisecond or two. */
const FONTS_PER_TASK = 5;

/**
 * Which fonts are installed: one digit each, 1 where the width of a text changes because the font exists. The set grows
 * with installed software. The browser's own serif font, Times New Roman on Windows and macOS, reads as missing.
 * On the page, not in the worker: a lookup waits for another process of the browser, and the worker is what runs longest.
 */
export const readFonts = async () => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!context) return undefined;
  const measure = (families: string) => {
    context.font = `72px ${families}`;
    return context.measureText("mw").width;
  };
  const fallbackWidth = measure("serif");
  let found = "";
  for (const font of FONTS) {
    if (found.length % FONTS_PER_TASK === 0) await yieldTask();
    found += bitmap([font], () => measure(`"${font}",serif`) !== fallbackWidth);
  }
  return found;
};
