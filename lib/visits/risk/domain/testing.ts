import fc from "fast-check";

import { NATIVE_MEMBERS } from "@/lib/contract/signal-lists";
import { Signals } from "@/lib/contract/signals";

import type { Visit } from "./visit";

const USER_AGENTS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0",
  "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0",
];

const words = fc.oneof(
  fc.constantFrom(...USER_AGENTS, "Windows", "HeadlessChrome", "cdc_", "__playwright__binding__", "Google Chrome", ""),
  fc.string({ maxLength: 30 }),
);
const numbers = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const flags = fc.boolean();
const optional = (model: Record<string, fc.Arbitrary<unknown>>) => fc.record(model, { requiredKeys: [] });
const bits = (length: number) =>
  fc.array(fc.constantFrom("0", "1"), { minLength: 1, maxLength: length }).map((all) => all.join(""));
const brandLists = fc.array(
  fc.record({ brand: words.map((word) => word.slice(0, 60)), version: fc.constantFrom("142", "142.0.1.2", "", "x") }),
  { maxLength: 4 },
);
const realm = {
  userAgent: words,
  platform: words.map((word) => word.slice(0, 100)),
  languages: fc.array(fc.constantFrom("en", "de-DE", ""), { maxLength: 3 }),
  hardwareConcurrency: numbers,
  deviceMemory: numbers,
  webdriver: flags,
};
const toolTexts = fc.array(fc.constantFrom(...NATIVE_MEMBERS, "cdc_x", "__pw_manual", "webdriver", "vendorFlag"), {
  maxLength: 8,
});
const screenNames = ["width", "height", "outerWidth", "outerHeight", "innerWidth", "innerHeight"];

const groups: Partial<Record<keyof Signals, fc.Arbitrary<unknown>>> = {
  worker: optional({ ...realm, brands: brandLists, renderer: fc.constantFrom("Mozilla", "Apple GPU") }),
  audio: numbers,
  uaData: optional({
    brands: brandLists,
    fullVersionList: brandLists,
    mobile: flags,
    platform: fc.constantFrom("Windows", "macOS", "toString", ""),
    platformVersion: fc.constantFrom("19.0.0", "10.0.0", "0.3", "", "-"),
  }),
  iframe: optional({ ...realm, isSelfWindow: flags }),
  navigator: optional({ ...realm, maxTouchPoints: numbers, isBrave: flags }),
  page: optional({ isSecureContext: flags, isFramed: flags }),
  engine: fc.record({ family: fc.constantFrom("blink", "gecko", "webkit", "unknown") }),
  features: bits(34),
  timezone: optional({ january: numbers, july: fc.constantFrom(0, -60) }),
  screen: fc.record(
    {
      media: bits(16),
      ...Object.fromEntries(screenNames.map((name) => [name, fc.oneof(fc.constantFrom(800, 1280), numbers)])),
    },
    { requiredKeys: ["media"] },
  ),
  automation: fc.record(
    {
      globals: toolTexts,
      attributes: toolTexts,
      tampered: toolTexts,
      navigatorProperties: toolTexts,
      hasHeadlessToken: flags,
      isConsoleWatched: flags,
    },
    { requiredKeys: ["globals", "attributes", "tampered", "navigatorProperties"] },
  ),
  webgl: fc.record({ renderer: fc.constantFrom("Mozilla", "ANGLE (Direct3D11)"), limits: fc.constant([8192]) }),
  canvas: fc.record({ hash: fc.constant("0123456789abcdef"), isStable: flags, solidFillErrors: numbers }),
};

const anyGroup = (value: fc.Arbitrary<unknown>) =>
  fc.oneof(
    fc.record({ state: fc.constant("ok"), value }),
    fc.record({ state: fc.constantFrom("absent", "blocked", "timeout", "error") }),
  );

/** Any visit that the contract allows, most of them nonsensical. */
export const anyVisit: fc.Arbitrary<Visit> = fc
  .record({
    signals: fc.record(Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, anyGroup(value)])), {
      requiredKeys: [],
    }),
    request: fc.record(
      {
        userAgent: words,
        acceptLanguage: words,
        clientHints: optional({ brands: words, mobile: words, platform: words }),
      },
      { requiredKeys: ["clientHints"] },
    ),
  })
  .map(({ signals, request }) => ({ signals: Signals.parse(signals), request }));
