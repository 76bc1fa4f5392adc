import type { NATIVE_MEMBERS } from "@/lib/contract/signal-lists";

import type { Compared } from "./evidence";
import { groupValue, type Visit } from "./visit";

/** Members that ordinary pages and extensions replace. Never a finding. */
const ORDINARY_MEMBERS: readonly string[] = [
  // Privacy extensions add noise to these.
  "HTMLCanvasElement.toDataURL",
  "CanvasRenderingContext2D.getImageData",
  "CanvasRenderingContext2D.measureText",
  "WebGLRenderingContext.getParameter",
  // Zone.js (Angular), core-js and Sentry replace this one for every visitor of a page (measured with zone.js 0.16.3,
  // core-js 1.2.7, 2.6.12 and 3.51.0, @sentry/browser 11.12.0), so it reveals nothing about the browser.
  "Function.toString",
] satisfies (typeof NATIVE_MEMBERS)[number][];

/** Properties of `navigator` that describe the browser. Apps and libraries add others of their own. */
const IDENTITY_PROPERTIES = [
  "webdriver",
  "userAgent",
  "userAgentData",
  "appVersion",
  "platform",
  "vendor",
  "productSub",
  "oscpu",
  "language",
  "languages",
  "plugins",
  "hardwareConcurrency",
  "deviceMemory",
  "maxTouchPoints",
  "brave",
];

/** Built-in members that describe the browser but were replaced by a script. */
export function replacedMembers({ signals }: Visit): Compared[] {
  const automation = groupValue(signals, "automation");
  return [
    ...(automation?.tampered ?? [])
      .filter((path) => !ORDINARY_MEMBERS.includes(path))
      .map((value) => ({ label: "Replaced by a script", value, isOdd: true })),
    ...(automation?.navigatorProperties ?? [])
      .filter((name) => IDENTITY_PROPERTIES.includes(name))
      .map((value) => ({ label: "Defined on the navigator object", value, isOdd: true })),
  ];
}
