import type { NATIVE_MEMBERS } from "@/lib/contract/signal-lists";

import type { Rule } from "../rule";
import { groupValue } from "../visit";

/** Members that privacy extensions replace to add noise. Never a finding. */
const NOISE_MEMBERS: readonly string[] = [
  "HTMLCanvasElement.toDataURL",
  "CanvasRenderingContext2D.getImageData",
  "CanvasRenderingContext2D.measureText",
  "WebGLRenderingContext.getParameter",
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
export const environmentMembers: Rule = {
  id: "environment.members",
  reason: "ENVIRONMENT_INCONSISTENT",
  source: "Web IDL, attributes on the interface prototype object; CreepJS, lies",
  harmlessCauses: ["An extension that changes the user agent or the time zone", "A polyfill for old browsers"],
  check({ signals }) {
    const automation = groupValue(signals, "automation");
    const compared = [
      ...(automation?.tampered ?? [])
        .filter((path) => !NOISE_MEMBERS.includes(path))
        .map((value) => ({ label: "Replaced by a script", value, isOdd: true })),
      ...(automation?.navigatorProperties ?? [])
        .filter((name) => IDENTITY_PROPERTIES.includes(name))
        .map((value) => ({ label: "Defined on the navigator object", value, isOdd: true })),
    ];
    if (compared.length === 0) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation: "A script replaced the browser's description of itself with its own answers.",
      compared: [...compared, { label: "Expected", value: "the browser's own code", isOdd: false }],
    };
  },
};
