import { type BrowserFingerprintWithHeaders, FingerprintGenerator } from "fingerprint-generator";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { Signals } from "@/lib/contract/signals";
import { createChance } from "@/lib/operations/demo/domain/chance";

import { type Assessment, assessRisk } from "./domain/assess-risk";
import type { Visit } from "./domain/visit";

const SAMPLES = 600;
/**
 * The model was trained on real traffic, including bots and emulators, and about 0.5 % of its samples contradict
 * themselves. More findings than that mean that a rule accuses real people.
 */
const MAX_DECEPTIVE_SHARE = 0.015;
const MAX_SUSPICIOUS_SHARE = 0.03;

const present = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
const ok = (value: unknown) => ({ state: "ok", value });

/** Converts a sampled browser to the component's signals: the groups that the model covers, the same in each realm. */
function visitOf({ fingerprint, headers }: BrowserFingerprintWithHeaders): Visit {
  const { navigator, screen, videoCard } = fingerprint;
  const { userAgent, platform, languages, hardwareConcurrency, deviceMemory } = navigator;
  const realm = present({ userAgent, platform, languages, hardwareConcurrency, deviceMemory });
  const { vendor, productSub, oscpu, language, maxTouchPoints } = navigator;
  const hints: unknown = navigator.userAgentData;
  const {
    brands,
    fullVersionList,
    mobile,
    platform: uaPlatform,
    platformVersion,
  } = (hints ?? {}) as Record<string, unknown>;
  const isBrave = JSON.stringify(brands ?? []).includes("Brave");
  const { width, height, availWidth, availHeight, colorDepth, outerWidth, outerHeight, innerWidth, innerHeight } =
    screen;
  const signals: unknown = {
    navigator: ok(
      present({ ...realm, webdriver: false, vendor, productSub, oscpu, language, maxTouchPoints, isBrave }),
    ),
    iframe: ok({ ...realm, isSelfWindow: true }),
    worker: ok(present({ ...realm, brands, uaPlatform, renderer: videoCard.renderer })),
    uaData:
      hints === null
        ? { state: "absent" }
        : ok(present({ brands, fullVersionList, mobile, platform: uaPlatform, platformVersion })),
    page: ok({ isSecureContext: hints !== null, isFramed: false }),
    screen: ok(
      present({
        width,
        height,
        availWidth,
        availHeight,
        colorDepth,
        outerWidth,
        outerHeight,
        innerWidth,
        innerHeight,
        media: "0",
      }),
    ),
    webgl: ok({ vendor: videoCard.vendor, renderer: videoCard.renderer, limits: [8192] }),
    // The model does not cover these groups, so they get neutral values.
    engine: { state: "error" },
    features: ok("1"),
    timezone: ok({}),
    locale: ok({}),
    math: ok([]),
    storage: ok({}),
    automation: ok({ globals: [], attributes: [], tampered: [], navigatorProperties: [] }),
    canvas: { state: "absent" },
    fonts: { state: "absent" },
  };
  // The model samples header brands and page brands independently, so they would contradict each other by chance.
  const { "User-Agent": upper, "user-agent": lower, "Accept-Language": asked } = headers;
  return {
    signals: Signals.parse(signals),
    request: { userAgent: upper ?? lower, acceptLanguage: asked, clientHints: {} },
  };
}

let assessments: Assessment[] = [];
beforeAll(() => {
  // The generator uses Math.random; a fixed sequence makes every run use the same samples.
  vi.spyOn(Math, "random").mockImplementation(createChance(11).next);
  const generator = new FingerprintGenerator({ devices: ["desktop", "mobile"] });
  // An empty list of features is neutral to all rules but the one that misses them.
  const settings = { observed: ["incomplete.values-missing"] };
  const assess = (visit: Visit) => assessRisk(visit, { settings });
  assessments = Array.from({ length: SAMPLES }, () => assess(visitOf(generator.getFingerprint())));
}, 120_000);
afterAll(() => {
  vi.restoreAllMocks();
});

const rulesBehind = (status: string) => [
  ...new Set(assessments.flatMap((one) => (one.status === status ? one.evidence.map(({ ruleId }) => ruleId) : []))),
];
const shareOf = (status: string) => assessments.filter((one) => one.status === status).length / SAMPLES;

test("almost no browser sampled from a model of real traffic is DECEPTIVE", () => {
  expect(shareOf("DECEPTIVE"), rulesBehind("DECEPTIVE").join(", ")).toBeLessThanOrEqual(MAX_DECEPTIVE_SHARE);
});

test("few of the sampled browsers are SUSPICIOUS", () => {
  expect(shareOf("SUSPICIOUS"), rulesBehind("SUSPICIOUS").join(", ")).toBeLessThanOrEqual(MAX_SUSPICIOUS_SHARE);
});
