import { EMBEDDED_FAMILIES } from "../families";
import { engineOf } from "../profile";
import type { Rule } from "../rule";
import { parseUserAgent, type ParsedUserAgent } from "../user-agent";
import { groupValue, type Visit } from "../visit";

/**
 * Client hints shipped in all Chromium browsers with version 89, plus one as tolerance. Source:
 * dev.chromium.org/updates/ua-ch.
 */
const FIRST_MAJOR = 90;

/** Opera for Android had no client hints long after version 90. Source: MDN browser compatibility data. */
const isWithoutHints = ({ family, operatingSystem }: ParsedUserAgent) =>
  EMBEDDED_FAMILIES.includes(family) || (family === "opera" && operatingSystem === "android");

/** A page on `https` or on the local machine is a secure context unless a page that is none frames it. */
function isSecure({ signals, request }: Visit): boolean {
  const { isSecureContext, isFramed } = groupValue(signals, "page") ?? {};
  return isSecureContext === true || (isFramed === false && request.isToTrustedAddress === true);
}

/** A Chromium that should have client hints but does not, as is typical of a replaced user agent. */
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
      engineOf(visit) === "blink" && major >= FIRST_MAJOR && !isWithoutHints(claimed) && isSecure(visit);
    // Hints that were blocked, timed out or failed are not missing: the browser has the interface.
    const state = signals.uaData?.state ?? "absent";
    const isEmpty = (groupValue(signals, "uaData")?.brands ?? []).length === 0;
    if (!isExpected || !(state === "absent" || (state === "ok" && isEmpty))) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "This version of Chromium sends client hints on secure pages, but this visit had none.",
      compared: [
        { label: "Chromium version of the user agent", value: String(major), isOdd: false },
        { label: "Page on https or on the local machine", value: "yes", isOdd: false },
        { label: "Client hints", value: state === "ok" ? "empty" : "absent", isOdd: true },
      ],
    };
  },
};
