import { createHash } from "node:crypto";

import fc from "fast-check";
import { expect, test } from "vitest";

import captured from "@/lib/visits/risk/captures/chromium.json";
import { packJson, unpackJson } from "./pack-json";
import dictionaries from "./packing-dictionaries.json";

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

test("any JSON value survives packing and unpacking", () => {
  fc.assert(
    fc.property(fc.constantFrom("signals" as const, "evidence" as const), fc.jsonValue(), (kind, value) => {
      expect(unpackJson(packJson(kind, value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("the dictionaries are those that stored visits were packed with, and known signals shrink to a tenth", () => {
  expect(Object.entries(dictionaries).map(([kind, text]) => [kind, digest(text)])).toEqual([
    ["signals", "56dba6a739712515ba862019ce9a5a2247cfa470f6783807d5bbe7e6647ba583"],
    ["evidence", "505260fd8831732e024d0b6dfab259a1efa8d7797240a054651fd88c575bb342"],
    ["evidenceWithoutFindings", "20de210726a80b44e2d65f7ddcf47c814b086b59b93d1dcd0bfbe0cc1f8bbf1b"],
  ]);
  expect(packJson("signals", captured).length).toBeLessThan(JSON.stringify(captured).length / 10);
  // Packed by the first version that packed evidence.
  expect(unpackJson(Buffer.from("AsNuNngMvBYA", "base64"))).toEqual({ risk: [], profile: "none" });
});

test("evidence shrinks to less than a third, with and without findings", () => {
  const identity = { by: "evidence", outcome: "new", confidence: 0, evidence: [], because: "shows_nobody" };
  const plain = { risk: [], profile: "none", identity, network: [], challengeAddress: "203.0.113.7" };
  const finding = {
    ruleId: "automation.webdriver-flag",
    reason: "AUTOMATION_DETECTED",
    harmlessCauses: ["The site's own end-to-end tests", "Uptime monitors", "Accessibility tools that drive a browser"],
    status: "DECEPTIVE",
    explanation: "The browser itself says that software controls it.",
    compared: [{ label: "navigator.webdriver, page", value: "true", isOdd: true }],
    source: "W3C WebDriver, interface NavigatorAutomationInformation",
  };
  for (const evidence of [plain, { ...plain, risk: [finding] }]) {
    const packed = packJson("evidence", evidence);
    expect(unpackJson(packed)).toEqual(evidence);
    expect(packed.length).toBeLessThan(JSON.stringify(evidence).length / 3);
  }
});

test("data that is damaged, truncated or packed by a later version is refused", () => {
  const packed = packJson("signals", captured);
  expect(() => unpackJson(Buffer.alloc(0))).toThrow("unknown dictionary");
  expect(() => unpackJson(Buffer.concat([Buffer.of(9), packed.subarray(1)]))).toThrow("unknown dictionary 9");
  expect(() => unpackJson(packed.subarray(0, packed.length >> 1))).toThrow();
});
