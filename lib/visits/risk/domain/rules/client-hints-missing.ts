import { EMBEDDED_FAMILIES } from "../families";
import { engineOf } from "../profile";
import type { Rule } from "../rule";
import { parseUserAgent, type ParsedUserAgent } from "../user-agent";
import { groupValue } from "../visit";

/** Client hints reached every Chromium with 89; one version of tolerance. Source: dev.chromium.org/updates/ua-ch. */
const FIRST_MAJOR = 90;

/** Opera for Android came without client hints long after version 90. Source: MDN browser compatibility data. */
const isWithoutHints = ({ family, operatingSystem }: ParsedUserAgent) =>
  EMBEDDED_FAMILIES.includes(family) || (family === "opera" && operatingSystem === "android");

/** A Chromium that should offer client hints and does not: typical of a replaced user agent. */
export const clientHintsMissing: Rule = {
  id: "incomplete.client-hints-missing",
  reason: "SIGNAL_DATA_INCOMPLETE",
  source: "WICG User-Agent Client Hints; dev.chromium.org/updates/ua-ch",
  harmlessCauses: ["Extensions and policies that remove client hints", "Unusual builds of Chromium"],
  explainedBy: ["brave", "tor", "gecko-rfp", "gecko-fpp", "webkit"],
  check(visit) {
    const { signals } = visit;
    const page = groupValue(signals, "navigator");
    const claimed = parseUserAgent(page?.userAgent ?? "");
    const major = claimed.chromiumMajorVersion ?? 0;
    const isExpected =
      engineOf(visit) === "blink" &&
      major >= FIRST_MAJOR &&
      !isWithoutHints(claimed) &&
      groupValue(signals, "page")?.isSecureContext === true;
    // Hints that were blocked, late or broken are not missing: the browser has them.
    const state = signals.uaData?.state ?? "absent";
    const isEmpty = (groupValue(signals, "uaData")?.brands ?? []).length === 0;
    if (!isExpected || !(state === "absent" || (state === "ok" && isEmpty))) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "This version of Chromium describes itself in client hints on secure pages; this visit had none.",
      compared: [
        { label: "Chromium version of the user agent", value: String(major), isOdd: false },
        { label: "Secure context", value: "true", isOdd: false },
        { label: "Client hints", value: state === "ok" ? "empty" : "absent", isOdd: true },
      ],
    };
  },
};
