import { MEDIA_QUERIES } from "@/lib/contract/signal-lists";

import { type Claim, pageClaim } from "../claims";
import { engineOf } from "../profile";
import type { Rule } from "../rule";
import { groupValue, type Visit } from "../visit";

const PHONE = /\bMobile\b/;

type Odd = { explanation: string; expected: string };

/** A phone without touch: no touch points, and only a mouse. */
function touchlessPhone(visit: Visit, page: Claim, touchPoints: number): Odd | undefined {
  const media = groupValue(visit.signals, "screen")?.media;
  const isPhone = ["android", "ios"].includes(page.parsed.operatingSystem) && PHONE.test(page.userAgent);
  const hasFinger = media?.[MEDIA_QUERIES.indexOf("any-pointer:coarse")] !== "0";
  if (!isPhone || touchPoints > 0 || hasFinger) return undefined;
  return { explanation: "The visit names a phone, but its device has no touch screen.", expected: "1 or more" };
}

/** Chromium on a Mac never has touch points. Safari does if it is an iPad in desktop mode. */
function touchingMac(visit: Visit, page: Claim, touchPoints: number): Odd | undefined {
  const isMac = page.parsed.operatingSystem === "macos" && engineOf(visit) === "blink";
  if (!isMac || touchPoints === 0) return undefined;
  return { explanation: "The visit names a Mac, which has no touch screen, but its device has one.", expected: "0" };
}

/** Touch input compared with the kind of device that the user agent names. */
export const environmentTouch: Rule = {
  id: "environment.touch",
  reason: "ENVIRONMENT_INCONSISTENT",
  source: "Pointer Events, maxTouchPoints; Media Queries 4, any-pointer",
  harmlessCauses: ["A phone system on a television or in an emulator", "Device emulation in developer tools"],
  explainedBy: ["tor", "gecko-rfp"],
  check(visit) {
    const touchPoints = groupValue(visit.signals, "navigator")?.maxTouchPoints;
    const page = pageClaim(visit);
    if (touchPoints === undefined || page === undefined) return undefined;
    const unexpected = touchlessPhone(visit, page, touchPoints) ?? touchingMac(visit, page, touchPoints);
    if (unexpected === undefined) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: unexpected.explanation,
      compared: [
        { label: page.label, value: page.userAgent, isOdd: true },
        { label: "Touch points", value: String(touchPoints), isOdd: false },
        { label: "Expected on such a device", value: unexpected.expected, isOdd: false },
      ],
    };
  },
};
