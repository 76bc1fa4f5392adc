import { type Font, FONTS } from "@/lib/contract/signal-lists";

import { pageClaim } from "../claims";
import type { Rule } from "../rule";
import { groupValue } from "../visit";

/** Fonts in every release since Windows 7 and OS X 10.11 that cannot be removed by ordinary means. */
const SYSTEM_FONTS: Partial<Record<string, readonly Font[]>> = {
  windows: ["Segoe UI", "Tahoma", "Consolas", "Calibri"],
  macos: ["Helvetica Neue", "Menlo", "Geneva"],
};
const LINUX_FONTS: readonly Font[] = ["DejaVu Sans", "Liberation Sans", "Cantarell", "Ubuntu"];

/** None of the claimed system's own fonts, but fonts of Linux. */
export const systemFonts: Rule = {
  id: "system.fonts",
  reason: "OS_ENVIRONMENT_MISMATCH",
  source: "Microsoft, Windows font list; Apple, fonts included with macOS",
  harmlessCauses: ["Programs that stream a browser from a server", "A system whose fonts were replaced"],
  explainedBy: ["brave", "tor", "gecko-rfp"],
  check(visit) {
    const page = pageClaim(visit);
    const bits = groupValue(visit.signals, "fonts");
    const expected = SYSTEM_FONTS[page?.parsed.operatingSystem ?? "unknown"];
    if (page === undefined || bits === undefined || expected === undefined) return undefined;
    const has = (font: Font) => bits[FONTS.indexOf(font)] === "1";
    const foreign = LINUX_FONTS.filter(has);
    if (expected.some(has) || foreign.length === 0) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The fonts of the claimed operating system are missing, and those of Linux are present.",
      compared: [
        { label: page.label, value: page.userAgent, isOdd: false },
        { label: "Expected fonts, all missing", value: expected.join(", "), isOdd: true },
        { label: "Fonts of Linux that are present", value: foreign.join(", "), isOdd: true },
      ],
    };
  },
};
