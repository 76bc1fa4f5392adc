import { MEDIA_QUERIES } from "@/lib/contract/signal-lists";

import { pageClaim } from "../claims";
import { engineOf } from "../profile";
import type { Compared, Rule } from "../rule";
import { groupValue, type Visit } from "../visit";

const PHONE = /\bMobile\b/;

/** A phone without a finger: no touch points, and nothing but a mouse. */
function touchlessPhone(visit: Visit, touchPoints: number): Compared[] {
  const page = pageClaim(visit);
  const media = groupValue(visit.signals, "screen")?.media;
  const isPhone =
    page !== undefined && ["android", "ios"].includes(page.parsed.operatingSystem) && PHONE.test(page.userAgent);
  const hasFinger = media?.[MEDIA_QUERIES.indexOf("any-pointer:coarse")] !== "0";
  return isPhone && touchPoints === 0 && !hasFinger ? [{ label: page.label, value: page.userAgent, isOdd: true }] : [];
}

/** Chromium on a Mac never has touch points; Safari does where an iPad asks for the desktop site. */
function touchingMac(visit: Visit, touchPoints: number): Compared[] {
  const page = pageClaim(visit);
  const isMac = page?.parsed.operatingSystem === "macos" && engineOf(visit) === "blink";
  return isMac && touchPoints > 0 ? [{ label: page.label, value: page.userAgent, isOdd: true }] : [];
}

/** Touch input against the kind of device that the user agent names. */
export const environmentTouch: Rule = {
  id: "environment.touch",
  reason: "ENVIRONMENT_INCONSISTENT",
  source: "Pointer Events, maxTouchPoints; Media Queries 4, any-pointer",
  harmlessCauses: ["A phone system on a television or in an emulator", "Device emulation in developer tools"],
  explainedBy: ["tor", "gecko-rfp"],
  check(visit) {
    const touchPoints = groupValue(visit.signals, "navigator")?.maxTouchPoints;
    if (touchPoints === undefined) return undefined;
    const odd = [...touchlessPhone(visit, touchPoints), ...touchingMac(visit, touchPoints)];
    if (odd.length === 0) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "The device that the user agent names is not touched in this way.",
      compared: [...odd, { label: "Touch points", value: String(touchPoints), isOdd: false }],
    };
  },
};
