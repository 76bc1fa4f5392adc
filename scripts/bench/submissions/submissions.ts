import { composeExactly } from "@/lib/contract/challenge-proof";
import type { Signals } from "@/lib/contract/signals";
import { issueDeviceToken } from "@/lib/visits/devices";
import { createChallenge } from "@/lib/visits/submissions/challenge";
import type { Random } from "../../common/random";
import { type Sample, visitAt } from "../match/sample";
import { sentSignals } from "./sent-signals";

/** The Web App that is visited. */
export type Place = { workspaceId: string; environmentId: string; origin: string };

/** One submission: its client IP, its headers (without that address), and its body. */
export type Submission = { address: string; headers: Record<string, string>; body: string };
export type MakeSubmission = () => Submission;

/** Number of returning devices, and the share of visits from other devices. */
const RETURNING = 1_500;
const STRANGERS = 0.3;
const ALL_DEVICES = 1_000_000;

/** Headers of a cross-origin script request, with Chromium's client hints if the browser has them. */
function headersOf({ uaData }: Signals): Record<string, string> {
  const always = {
    accept: "*/*",
    "accept-encoding": "gzip, deflate, br, zstd",
    "content-type": "application/json",
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "cors",
    "sec-fetch-dest": "empty",
  };
  if (uaData?.state !== "ok") return always;
  const { brands = [], platform = "", mobile = false } = uaData.value;
  return {
    ...always,
    "sec-ch-ua": brands.map(({ brand, version }) => `"${brand}";v="${version}"`).join(", "),
    "sec-ch-ua-mobile": mobile ? "?1" : "?0",
    "sec-ch-ua-platform": `"${platform}"`,
  };
}

/** Groups that take long. */
const SLOW = new Set(["worker", "audio", "iframe", "canvas", "webgl", "fonts"]);

/** Durations of each group, different for every visit, which ends soon after the challenge. */
function timingsOf(signals: Signals, random: Random) {
  const challenge = 100 + random.below(400);
  return {
    total: challenge + random.below(60),
    challenge,
    signals: Object.fromEntries(
      Object.keys(signals).map((name) => [name, SLOW.has(name) ? 2 + random.below(88) : random.below(2)]),
    ),
  };
}

/**
 * Creates realistic submissions: from devices that return with their token, and from new ones. Each can be sent once.
 */
export function submissionMaker(
  { workspaceId, environmentId, origin }: Place,
  sample: Sample,
  random: Random,
): MakeSubmission {
  const tokens = new Map<number, string>();
  return () => {
    const device = random.chance(STRANGERS) ? RETURNING + random.below(ALL_DEVICES) : random.below(RETURNING);
    const { visit, address } = visitAt(sample, device);
    const token = tokens.get(device) ?? issueDeviceToken(workspaceId);
    if (device < RETURNING) tokens.set(device, token);
    const signals = sentSignals(visit);
    const body = composeExactly({
      v: 1,
      environment_id: environmentId,
      challenge: createChallenge({ environmentId, origin }, address, new Date()).challenge,
      token,
      signals,
      timings: timingsOf(signals, random),
    });
    const { userAgent = "", acceptLanguage = "" } = visit.request;
    const named = { origin, "user-agent": userAgent, "accept-language": acceptLanguage };
    return { address, headers: { ...named, ...headersOf(signals) }, body };
  };
}

/** Sends to a service that trusts the forwarding header. */
export const sendSubmission = (service: string, { address, headers, body }: Submission): Promise<Response> =>
  fetch(`${service}/api/v1/imprints`, { method: "POST", headers: { ...headers, "x-forwarded-for": address }, body });
