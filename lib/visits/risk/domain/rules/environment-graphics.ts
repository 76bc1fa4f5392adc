import { engineOf } from "../profile";
import type { Rule } from "../rule";
import { groupValue } from "../visit";

/**
 * The page and its worker render on the same graphics card. It is normal for one of them to have no graphics, or a card
 * without a name: while a browser starts, a restart of its graphics process empties it (measured in Chromium 156).
 */
export const environmentGraphics: Rule = {
  id: "environment.graphics",
  reason: "ENVIRONMENT_INCONSISTENT",
  source: "fpscanner 1.0 (cross-context); measured on puppeteer-extra-plugin-stealth 2.11",
  harmlessCauses: ["A machine with two graphics cards", "An extension against fingerprinting"],
  explainedBy: ["brave", "tor", "gecko-rfp", "gecko-fpp", "webkit"],
  check(visit) {
    const page = groupValue(visit.signals, "webgl")?.renderer;
    const worker = groupValue(visit.signals, "worker")?.renderer;
    if (engineOf(visit) !== "blink" || !page || !worker || page === worker) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The page and its background script name different graphics cards, though both run on one device.",
      compared: [
        { label: "Graphics, page", value: page, isOdd: true },
        { label: "Graphics, worker", value: worker, isOdd: false },
      ],
    };
  },
};
