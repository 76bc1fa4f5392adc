import type { DeviceTraits } from "./traits";

type Contradiction = "system" | "browser" | "version";

const COMPARED: Record<Contradiction, { label: string; of: (traits: DeviceTraits) => string }> = {
  system: { label: "Operating system", of: ({ system }) => system },
  browser: { label: "Browser", of: ({ browser }) => browser },
  version: { label: "Browser version", of: ({ browserMajor }) => String(browserMajor ?? "unknown") },
};

/** What is said of a token whose browser is not the one that it was given to. */
export function copiedTokenFinding(contradiction: Contradiction, now: DeviceTraits, before: DeviceTraits) {
  const { label, of } = COMPARED[contradiction];
  return {
    ruleId: "identity.copied-token",
    reason: "ENVIRONMENT_INCONSISTENT" as const,
    status: "SUSPICIOUS" as const,
    explanation: "The device token of this visit was given to another browser: it was copied.",
    compared: [
      { label: `${label}, this visit`, value: of(now), isOdd: true },
      { label: `${label}, the token's device`, value: of(before), isOdd: false },
    ],
    harmlessCauses: [
      "A browser profile that was moved to another system",
      "Developer tools that imitate another device",
    ],
    source: "docs/identity.md: browser and system of one installation never change",
  };
}
