import { checkEvidence } from "@/lib/visits/risk/domain/evidence";

import type { Appearance, AppearanceFact } from "./appearance";
import type { HardFacts, TokenContradiction } from "./compatibility";
import type { HardwareFact } from "./hardware";
import { TOKEN_RULES } from "./token-rules";
import type { DeviceTraits } from "./traits";

type Facts = HardFacts | DeviceTraits;

/** What was found to differ: parts of the machine, and what the visit shows of it. */
type Changed = { parts: readonly HardwareFact[]; seen: readonly AppearanceFact[] };

const SEEN: Record<AppearanceFact, { label: string; trait: keyof Appearance }> = {
  graphics: { label: "Graphics", trait: "gpu" },
  fonts: { label: "Fonts", trait: "fonts" },
  screen: { label: "Screen", trait: "screen" },
  languages: { label: "Language", trait: "languages" },
};

const LABELS: Record<HardwareFact, string> = {
  gpu: "Graphics card",
  cores: "Processor cores",
  memory: "Memory",
  model: "Model",
  architecture: "Architecture",
};

const shown = (value: string | number | undefined): string =>
  value === undefined || value === "" ? "unknown" : String(value);

const pair = (label: string, now: string | number | undefined, before: string | number | undefined) => [
  { label: `${label}, this visit`, value: shown(now), isOdd: true },
  { label: `${label}, when the token was issued`, value: shown(before), isOdd: false },
];

const compareHardware = (facts: readonly HardwareFact[], now: Facts, before: Facts) =>
  facts.flatMap((fact) => pair(LABELS[fact], now[fact], before[fact]));

const compareAppearance = (facts: readonly AppearanceFact[], now: Appearance, before: Appearance | undefined) =>
  facts.flatMap((fact) => {
    const { label, trait } = SEEN[fact];
    return pair(label, now[trait], before?.[trait]);
  });

/** The finding about a token that was issued to another browser or machine. */
export function copiedTokenFinding(
  contradiction: TokenContradiction,
  now: DeviceTraits,
  first: HardFacts,
  { parts, seen }: Changed,
) {
  const compared = {
    system: () => pair("Operating system", now.system, first.system),
    browser: () => pair("Browser", now.browser, first.browser),
    version: () => pair("Browser version", now.browserMajor, first.browserMajor),
    hardware: () => [...compareHardware(parts, now, first), ...compareAppearance(seen, now, first.shown)],
  };
  return checkEvidence(TOKEN_RULES, "identity.copied-token", {
    explanation:
      contradiction === "hardware"
        ? "The device token of this visit was issued to another machine, so it was copied."
        : "The device token of this visit was issued to another browser, so it was copied.",
    compared: compared[contradiction](),
    harmlessCauses: [
      "A browser profile that was moved to another machine",
      "Developer tools that emulate another device",
    ],
    source: "docs/identity.md: browser, system and machine of one installation never change together",
  });
}

/** The finding about a token whose machine has a changed part. */
export const swappedHardwareFinding = (facts: readonly HardwareFact[], now: DeviceTraits, first: Facts) =>
  checkEvidence(TOKEN_RULES, "identity.hardware-changed", {
    explanation: "The returning device has a part that it did not have before, so its token may have been copied.",
    compared: compareHardware(facts, now, first),
    harmlessCauses: [
      "A graphics card or memory that was replaced",
      "A laptop that uses its other graphics card for the first time",
    ],
    source: "docs/identity.md: the parts of a machine hardly ever change",
  });
