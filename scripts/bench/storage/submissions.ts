import { composeExactly } from "@/lib/contract/challenge-proof";
import type { Signals } from "@/lib/contract/signals";
import { issueDeviceToken } from "@/lib/visits/devices";
import captured from "@/lib/visits/risk/captures/chromium.json";
import { createChallenge } from "@/lib/visits/submissions/challenge";
import type { Site } from "@/test/visits";
import type { Random } from "../../common/random";
import { type Sample, visitAt } from "../match/sample";

/** Devices that come again, and the share of visits that are of one that does not. */
const RETURNING = 1_500;
const STRANGERS = 0.3;
const ALL_DEVICES = 1_000_000;

/** What the generator does not know of a browser is left out. */
const withoutNull = (_name: string, value: unknown): unknown => (value === null ? undefined : value);

/** The page's own claims again, as a worker and a frame of an honest browser make them. */
function realmsOf({ navigator }: Signals): Signals {
  if (navigator?.state !== "ok") return {};
  const { userAgent, platform, languages, hardwareConcurrency, deviceMemory, webdriver } = navigator.value;
  const claims = { userAgent, platform, languages, hardwareConcurrency, deviceMemory };
  return {
    worker: { state: "ok", value: claims },
    iframe: { state: "ok", value: { ...claims, webdriver, isSelfWindow: true } },
  };
}

/** Headers of a request by a page's script to another origin; Chromium's hints where the browser has them. */
function headersOf({ uaData }: Signals): Record<string, string> {
  const always = {
    accept: "*/*",
    "accept-encoding": "gzip, deflate, br, zstd",
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

/** How long each group took: no two visits take the same. */
const timingsOf = (random: Random) => ({
  total: 120 + random.below(400),
  challenge: 15 + random.below(80),
  signals: Object.fromEntries(
    ["worker", "audio", "iframe", "canvas", "webgl", "fonts"].map((name) => [name, random.below(90)]),
  ),
});

/** Submissions as browsers send them: of devices that return with their token, and of new ones. Each can be sent once. */
export function submissionMaker({ workspaceId, environmentId, origin }: Site, sample: Sample, random: Random) {
  const tokens = new Map<number, string>();
  return () => {
    const device = random.chance(STRANGERS) ? RETURNING + random.below(ALL_DEVICES) : random.below(RETURNING);
    const { visit, address } = visitAt(sample, device);
    const token = tokens.get(device) ?? issueDeviceToken(workspaceId);
    if (device < RETURNING) tokens.set(device, token);
    const signals = { ...captured.signals, ...visit.signals, ...realmsOf(visit.signals) };
    const body = composeExactly({
      v: 1,
      environment_id: environmentId,
      challenge: createChallenge({ environmentId, origin }, address, new Date()).challenge,
      token,
      signals: JSON.parse(JSON.stringify(signals, withoutNull)) as unknown,
      timings: timingsOf(random),
    });
    const { userAgent = "", acceptLanguage = "" } = visit.request;
    const named = { origin, "user-agent": userAgent, "accept-language": acceptLanguage };
    return { address, headers: { ...named, ...headersOf(visit.signals) }, body };
  };
}
