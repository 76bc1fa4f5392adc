import { FEATURES } from "@/lib/contract/signal-lists";

import type { EngineFamily } from "./families";
import { parseUserAgent } from "./user-agent";
import { groupValue, type Visit } from "./visit";

const PRIVACY_PROFILES = ["tor", "gecko-rfp", "gecko-fpp", "brave", "webkit", "none"] as const;

/** The browser's built-in fingerprinting protection, whose effects are never a finding. */
export type PrivacyProfile = (typeof PRIVACY_PROFILES)[number];

/** The observed engine, or the claimed one if it was not observed. */
export function engineOf({ signals, request }: Visit): EngineFamily {
  const observed = groupValue(signals, "engine")?.family;
  if (observed !== undefined && observed !== "unknown") return observed;
  return parseUserAgent(groupValue(signals, "navigator")?.userAgent ?? request.userAgent ?? "").engine;
}

/** Wrong pixels of 256. resistFingerprinting returns random data, which makes nearly all of them wrong. */
const RFP_FILL_ERRORS_MIN = 200;

/** Requires at least two traits, since each alone has other explanations. */
function resistsFingerprinting({ signals }: Visit): boolean {
  const canvas = groupValue(signals, "canvas");
  const screen = groupValue(signals, "screen");
  const clock = groupValue(signals, "timezone");
  const traits = [
    (canvas?.solidFillErrors ?? 0) >= RFP_FILL_ERRORS_MIN || canvas?.isStable === false,
    groupValue(signals, "webgl")?.renderer === "Mozilla",
    // UTC, or Reykjavik in newer releases: offset 0 in both seasons.
    clock?.january === 0 && clock.july === 0,
    screen?.width !== undefined && screen.width === screen.innerWidth && screen.height === screen.innerHeight,
  ];
  return traits.filter(Boolean).length >= 2;
}

/** Tor Browser is built without WebRTC. */
const hasWebRtc = ({ signals }: Visit) =>
  groupValue(signals, "features")?.[FEATURES.indexOf("RTCPeerConnection")] !== "0";

/** Since Firefox 120 canvases may have noise per session and site that the page cannot detect. */
const FPP_FIRST_MAJOR = 120;

/** Brave defines the property on the prototype. A script that pretends to be Brave defines it on the instance. */
const isBrave = ({ signals }: Visit) =>
  groupValue(signals, "navigator")?.isBrave === true &&
  groupValue(signals, "automation")?.navigatorProperties.includes("brave") !== true;

/** Determines the visit's privacy protection, by behaviour first, which a disguised user agent does not change. */
export function privacyProfile(visit: Visit): PrivacyProfile {
  const engine = engineOf(visit);
  const page = groupValue(visit.signals, "navigator");
  if (engine === "webkit") return "webkit";
  if (engine === "blink") return isBrave(visit) ? "brave" : "none";
  if (engine !== "gecko") return "none";
  if (resistsFingerprinting(visit)) return hasWebRtc(visit) ? "gecko-rfp" : "tor";
  const gecko = /\brv:(\d{1,4})/.exec(page?.userAgent ?? "")?.[1];
  return gecko !== undefined && Number(gecko) < FPP_FIRST_MAJOR ? "none" : "gecko-fpp";
}
