import { FONTS } from "@/lib/contract/signal-lists";

import { measureFonts } from "./measure-fonts";
import { running } from "./worker";

const WORKER_WAIT_MS = 700;

/**
 * Which fonts are installed; the set grows with installed software. Measured in the worker, where it takes no time
 * from the page, else here. The browser's own serif font, Times New Roman on Windows and macOS, reads as missing.
 */
export const readFonts = async () => {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, WORKER_WAIT_MS));
  const report = await Promise.race([running, late]).catch(() => undefined);
  if (report?.fonts) return report.fonts;
  const context = document.createElement("canvas").getContext("2d");
  return context ? measureFonts(context, FONTS) : undefined;
};
