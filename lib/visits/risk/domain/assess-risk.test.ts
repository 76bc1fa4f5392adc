import fc from "fast-check";
import { expect, test } from "vitest";

import { REASONS, REPORT_STATUSES } from "@/lib/contract/report";

import { CAPTURED, DESCRIBED, DESCRIBED_TOOLS, withStates, withValues } from "../testing";
import { assessRisk } from "./assess-risk";
import type { Evidence } from "./evidence";
import { RULES } from "./rules";
import { anyVisit } from "./testing";

const { chromium, chromiumDeveloperTools, firefox, firefoxPrivate, firefoxResistFingerprinting } = CAPTURED;
const { epiphany, falkon, qutebrowser } = CAPTURED;
const gecko = { firefox, firefoxPrivate, firefoxResistFingerprinting };
const clean = { chromium, chromiumDeveloperTools, ...gecko, epiphany, falkon, qutebrowser, ...DESCRIBED };

test.each(Object.entries(clean))("the clean visit of %s passes without findings", (_name, visit) => {
  expect(assessRisk(visit)).toMatchObject({
    status: "PASS",
    reasons: [],
    findings: [],
    evidence: [],
    browserStatus: "PASS",
    operatingSystemStatus: "PASS",
    networkStatus: "PASS",
  });
});

test.each([
  ["Chromium without a window", CAPTURED.chromiumHeadless],
  ["Playwright", CAPTURED.playwright],
  ["Puppeteer on Firefox", CAPTURED.puppeteerFirefox],
  ["WebKitGTK under its driver", CAPTURED.webkitGtkDriven],
  ...Object.entries(DESCRIBED_TOOLS),
])("%s is DECEPTIVE for automation, which affects the browser's status", (_name, visit) => {
  expect(assessRisk(visit)).toMatchObject({
    status: "DECEPTIVE",
    reasons: ["AUTOMATION_DETECTED"],
    browserStatus: "DECEPTIVE",
    operatingSystemStatus: "PASS",
    networkStatus: "PASS",
  });
});

test.each([
  [
    "an iPhone",
    CAPTURED.playwrightAsIphone,
    ["BROWSER_IDENTITY_MISMATCH", "OS_ENVIRONMENT_MISMATCH", "AUTOMATION_DETECTED"],
  ],
  [
    "an older Chrome on Windows, without its flag",
    CAPTURED.playwrightDisguised,
    ["BROWSER_VERSION_MISMATCH", "BROWSER_IDENTITY_MISMATCH", "OS_ENVIRONMENT_MISMATCH", "AUTOMATION_DETECTED"],
  ],
  ["Firefox, without its flag", CAPTURED.playwrightAsFirefox, ["BROWSER_IDENTITY_MISMATCH", "OS_ENVIRONMENT_MISMATCH"]],
  [
    "a browser disguised by its stealth plug-in",
    CAPTURED.playwrightStealth,
    [
      "BROWSER_VERSION_MISMATCH",
      "BROWSER_IDENTITY_MISMATCH",
      "OS_ENVIRONMENT_MISMATCH",
      "AUTOMATION_DETECTED",
      "ENVIRONMENT_INCONSISTENT",
    ],
  ],
])("Playwright as %s is DECEPTIVE for what it claims, in browser and system", (_name, visit, reasons) => {
  expect(assessRisk(visit)).toMatchObject({
    status: "DECEPTIVE",
    reasons,
    browserStatus: "DECEPTIVE",
    operatingSystemStatus: "DECEPTIVE",
  });
});

test.each([
  ["Firefox without a window", CAPTURED.firefoxHeadless],
  ["Chromium without a window that calls itself ChromeOS", CAPTURED.chromiumAsChromeOsHeadless],
])("%s is SUSPICIOUS, and no finding suggests a window that spans two screens", (_name, visit) => {
  const { status, reasons, evidence } = assessRisk(visit);
  expect(status).toBe("SUSPICIOUS");
  expect(reasons).toContain("AUTOMATION_DETECTED");
  expect(evidence.flatMap(({ harmlessCauses }) => harmlessCauses).join()).not.toMatch(/two screens/);
});

test.each(Object.entries({ ...CAPTURED, ...DESCRIBED_TOOLS }))(
  "every finding about %s is one sentence and states what was seen and what was expected",
  (_name, visit) => {
    for (const { ruleId, explanation, compared, harmlessCauses } of assessRisk(visit).evidence) {
      expect(explanation, ruleId).toMatch(/^[A-Z][^.]*\.$/);
      expect(
        compared.some(({ isOdd }) => isOdd),
        ruleId,
      ).toBe(true);
      expect(
        compared.some(({ isOdd }) => !isOdd),
        ruleId,
      ).toBe(true);
      expect(harmlessCauses, ruleId).not.toHaveLength(0);
    }
  },
);

test("Selenium that hides its flag is DECEPTIVE by the names that it leaves and by its claims", () => {
  const { status, reasons } = assessRisk(CAPTURED.seleniumEvasive);
  expect(status).toBe("DECEPTIVE");
  expect(reasons).toEqual(expect.arrayContaining(["BROWSER_VERSION_MISMATCH", "AUTOMATION_DETECTED"]));
});

test("a phone emulated by developer tools is a disguise but not automation", () => {
  expect(assessRisk(CAPTURED.developerToolsAsPixel)).toMatchObject({
    status: "DECEPTIVE",
    reasons: ["BROWSER_VERSION_MISMATCH", "BROWSER_IDENTITY_MISMATCH", "OS_ENVIRONMENT_MISMATCH"],
  });
});

test("a disguise with an emulated window is SUSPICIOUS", () => {
  expect(assessRisk(CAPTURED.playwrightHeadfulEmulated)).toMatchObject({
    status: "SUSPICIOUS",
    reasons: ["AUTOMATION_DETECTED", "ENVIRONMENT_INCONSISTENT"],
  });
});

test("known limit: automation in a real window without flag or emulation looks like a person's developer tools", () => {
  expect(assessRisk(CAPTURED.playwrightHeadfulFlagOff).status).toBe("PASS");
});

test("privacy features and missing parts are no findings: noise, masked GPU, no WebGL, blocked worker, UTC", () => {
  const noisy = withValues(DESCRIBED.chromeWindows11, {
    canvas: { isStable: false, solidFillErrors: 12 },
    navigator: { globalPrivacyControl: true },
    timezone: { january: 0, july: 0, now: 0 },
  });
  const bare = withStates(noisy, {
    worker: "blocked",
    webgl: "absent",
    audio: "absent",
    fonts: "absent",
    storage: "absent",
  });
  expect(assessRisk(bare).status).toBe("PASS");
});

test("an empty submission is incomplete and affects neither the browser's nor the system's status", () => {
  expect(assessRisk({ signals: {}, request: { clientHints: {} } })).toMatchObject({
    status: "SUSPICIOUS",
    findings: [{ reason: "SIGNAL_DATA_INCOMPLETE", status: "SUSPICIOUS" }],
    browserStatus: "PASS",
    operatingSystemStatus: "PASS",
    networkStatus: "PASS",
  });
});

const extra = (reason: Evidence["reason"], status: Evidence["status"]): Evidence => ({
  ruleId: "test.extra",
  reason,
  status,
  explanation: "Told by another check",
  compared: [],
  harmlessCauses: [],
  source: "test",
});

test("findings of other checks count like those of rules, in the contract's order", () => {
  const assessment = assessRisk(CAPTURED.playwright, {
    extraFindings: [
      extra("LOCATION_INCONSISTENT", "SUSPICIOUS"),
      extra("PROXY_DETECTED", "SUSPICIOUS"),
      extra("PROXY_DETECTED", "DECEPTIVE"),
    ],
  });
  expect(assessment.findings).toEqual([
    { reason: "AUTOMATION_DETECTED", status: "DECEPTIVE" },
    { reason: "PROXY_DETECTED", status: "DECEPTIVE" },
    { reason: "LOCATION_INCONSISTENT", status: "SUSPICIOUS" },
  ]);
  expect(assessment.networkStatus).toBe("DECEPTIVE");
});

test("soft findings never add up to DECEPTIVE", () => {
  const soft = REASONS.map((reason) => extra(reason, "SUSPICIOUS"));
  expect(assessRisk(CAPTURED.chromium, { extraFindings: soft })).toMatchObject({
    status: "SUSPICIOUS",
    reasons: [...REASONS],
  });
});

const anyExtra = fc.array(
  fc
    .tuple(fc.constantFrom(...REASONS), fc.constantFrom("SUSPICIOUS" as const, "DECEPTIVE" as const))
    .map(([reason, status]) => extra(reason, status)),
  { maxLength: 4 },
);
const severity = (status: (typeof REPORT_STATUSES)[number]) => REPORT_STATUSES.indexOf(status);

test("for any visit, the verdict is the maximum of its findings, and every finding has evidence", () => {
  fc.assert(
    fc.property(anyVisit, anyExtra, (visit, extras) => {
      const { status, reasons, findings, evidence, browserStatus, operatingSystemStatus, networkStatus } = assessRisk(
        visit,
        { extraFindings: extras },
      );
      expect(findings.map(({ reason }) => reason)).toEqual(reasons);
      expect(reasons).toEqual(REASONS.filter((reason) => evidence.some((item) => item.reason === reason)));
      for (const finding of findings) {
        const backing = evidence.filter(({ reason }) => reason === finding.reason).map((item) => severity(item.status));
        expect(severity(finding.status)).toBe(Math.max(...backing));
      }
      expect(severity(status)).toBe(Math.max(0, ...findings.map((finding) => severity(finding.status))));
      expect(status === "PASS").toBe(findings.length === 0);
      for (const part of [browserStatus, operatingSystemStatus, networkStatus]) {
        expect(severity(part)).toBeLessThanOrEqual(severity(status));
        expect(part === "PASS" || findings.some((finding) => finding.status === part)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test("the same visit always gets the same verdict, and assessing does not modify it", () => {
  fc.assert(
    fc.property(anyVisit, (visit) => {
      const before = structuredClone(visit);
      expect(assessRisk(visit)).toEqual(assessRisk(before));
      expect(visit).toEqual(before);
    }),
  );
});

test("incomplete data and a watched console are never more than SUSPICIOUS", () => {
  fc.assert(
    fc.property(anyVisit, (visit) => {
      const capped = assessRisk(visit).evidence.filter(
        ({ reason, ruleId }) => reason === "SIGNAL_DATA_INCOMPLETE" || ruleId === "automation.console-watched",
      );
      expect(capped.every(({ status }) => status === "SUSPICIOUS")).toBe(true);
    }),
  );
});

test("rules have unique ids, a source and harmless causes, and are ordered by reason as in the contract", () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  const positions = RULES.map(({ reason }) => REASONS.indexOf(reason));
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  for (const rule of RULES) {
    expect(rule.source).not.toBe("");
    expect(rule.harmlessCauses).not.toHaveLength(0);
  }
});
