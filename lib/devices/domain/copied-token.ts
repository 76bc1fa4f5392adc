import type { HardFacts } from "./compatibility";

type Contradiction = "system" | "browser" | "version";

const COMPARED: Record<Contradiction, { label: string; of: (facts: HardFacts) => string }> = {
  system: { label: "Operating system", of: ({ system }) => system },
  browser: { label: "Browser", of: ({ browser }) => browser },
  version: { label: "Browser version", of: ({ browserMajor }) => String(browserMajor ?? "unknown") },
};

/** What is said of a token whose browser is not the one that it was given to. */
export function copiedTokenFinding(contradiction: Contradiction, now: HardFacts, first: HardFacts) {
  const { label, of } = COMPARED[contradiction];
  return {
    ruleId: "identity.copied-token",
    reason: "ENVIRONMENT_INCONSISTENT" as const,
    status: "SUSPICIOUS" as const,
    explanation: "The device token of this visit was given to another browser: it was copied.",
    compared: [
      { label: `${label}, this visit`, value: of(now), isOdd: true },
      { label: `${label}, where the token was given`, value: of(first), isOdd: false },
    ],
    harmlessCauses: [
      "A browser profile that was moved to another system",
      "Developer tools that imitate another device",
    ],
    source: "docs/identity.md: browser and system of one installation never change",
  };
}
