/** How a visit's device was found, as far as the page shows it. */
export type LinkRecord =
  | { by: "token" }
  | {
      by: "evidence";
      outcome: "linked" | "new";
      confidence: number;
      evidence: readonly { fact: string; text: string; factor: number }[];
      copiedToken?: { contradiction: string };
    };

const percent = (share: number) => `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;

/** A likelihood ratio in words that can be compared at a glance. */
function weightText(factor: number): string {
  const rounded = (value: number) => (value >= 10 ? Math.round(value).toLocaleString("en-US") : value.toFixed(1));
  return factor >= 1 ? `× ${rounded(factor)}` : `÷ ${rounded(1 / factor)}`;
}

/** A visit's recognition in a line, and what it rests on. */
export function describeLink(record: LinkRecord | undefined): {
  title: string;
  evidence: { fact: string; text: string; weight: string }[];
} {
  if (record === undefined) return { title: "Not recorded", evidence: [] };
  if (record.by === "token") return { title: "Device token", evidence: [] };
  const evidence = record.evidence.map(({ fact, text, factor }) => ({ fact, text, weight: weightText(factor) }));
  const copied = record.copiedToken ? ", its token was copied" : "";
  if (record.outcome === "linked") return { title: `Evidence, ${percent(record.confidence)}${copied}`, evidence };
  return {
    title:
      evidence.length === 0
        ? `New device${copied}`
        : `New device${copied}: the nearest one reached ${percent(record.confidence)}`,
    evidence,
  };
}
