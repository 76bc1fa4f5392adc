import { MEDIA_QUERIES } from "@/lib/contract/signal-lists";

import type { Rule } from "../rule";
import { groupValue } from "../visit";

const POINTING = [
  "pointer:fine",
  "pointer:coarse",
  "any-pointer:fine",
  "any-pointer:coarse",
  "hover:hover",
  "any-hover:hover",
];
const PLACES = MEDIA_QUERIES.flatMap((query, index) => (POINTING.includes(query) ? [index] : []));

const DESKTOPS = ["windows", "macos", "linux", "chromeos"];
/** Televisions and consoles claim to be desktops and have a remote control. */
const TELEVISION = /\b(?:Smart-?TV|Web0S|Tizen|BRAVIA|CrKey|HbbTV|Xbox|PlayStation|Nintendo|VIDAA|TV)\b/i;
/** Excludes small boards, which drive displays without any input device. */
const PERSONAL_COMPUTER = /^(?:Win|Mac|Linux x86_64|Linux i\d86)/;

/** A desktop browser that has neither a mouse nor touch, as in a browser without a window. */
export const noPointer: Rule = {
  id: "automation.no-pointer",
  reason: "AUTOMATION_DETECTED",
  source: "Media Queries 4, pointer and hover; measured on Chromium 156 and Firefox 153 with and without a window",
  harmlessCauses: [
    "A wall display or another computer without mouse and touch screen",
    "A remote session without a mouse",
  ],
  explainedBy: ["tor", "gecko-rfp", "webkit"],
  check({ signals }, identity) {
    const page = groupValue(signals, "navigator");
    const media = groupValue(signals, "screen")?.media ?? "";
    const isComputer =
      DESKTOPS.includes(identity.operatingSystem.family) &&
      PERSONAL_COMPUTER.test(page?.platform ?? "") &&
      !TELEVISION.test(page?.userAgent ?? "");
    if (!isComputer || page?.maxTouchPoints !== 0 || PLACES.some((index) => media[index] !== "0")) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation:
        "The browser runs on a computer but reports neither a mouse nor a touch screen, like one that runs without a window.",
      compared: [
        { label: "Mouse, touch pad or touch screen", value: "none", isOdd: true },
        { label: "Expected on this system", value: "at least one", isOdd: false },
        { label: "System", value: identity.operatingSystem.name ?? identity.operatingSystem.family, isOdd: false },
      ],
    };
  },
};
