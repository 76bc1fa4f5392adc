/** How a visit's device was recognised, as shown on the page. */
export type LinkRecord =
  | { by: "token" }
  | {
      by: "evidence";
      outcome: "linked" | "new";
      /** Why there is no link; missing in records of 0.1.0. */
      because?: string;
      confidence: number;
      evidence: readonly { fact: string; text: string; factor: number }[];
      copiedToken?: { contradiction: string };
    };

/** Rounds down and stays below 100 %, because 0.1.0 stored shares that round up to it. */
const percent = (share: number) => `${Math.min(99, Math.floor(share * 100))} %`;

const REASONS: Readonly<Record<string, string>> = {
  shows_nobody: "its browser has no distinctive traits",
  shared_network: "many strangers share its address",
  crowded_network: "too many devices come from its address",
  unknown_model: "no machine of this kind is known at its address",
  several_machines: "several machines of this kind are known at its address",
  wiped_storage: "machines at its address lose their storage too often",
  other_machine: "the machine known at its address is another one",
  known_too_short: "the machine at its address is not known for long enough",
  closed: "links of this kind have not proved right yet",
  doubtful: "too much differs from the machine at its address",
};

/** A likelihood ratio in words. */
function weightText(factor: number): string {
  if (factor === 1) return "fits";
  const rounded = (value: number) => (value >= 10 ? Math.round(value).toLocaleString("en-US") : value.toFixed(1));
  return factor >= 1 ? `× ${rounded(factor)}` : `÷ ${rounded(1 / factor)}`;
}

/** How a visit was recognised, and the evidence for it. */
export function describeLink(record: LinkRecord | undefined): {
  title: string;
  evidence: { fact: string; text: string; weight: string }[];
} {
  if (record === undefined) return { title: "Not recorded", evidence: [] };
  if (record.by === "token") return { title: "Device token", evidence: [] };
  const evidence = record.evidence.map(({ fact, text, factor }) => ({ fact, text, weight: weightText(factor) }));
  const copied = record.copiedToken ? ", its token was copied" : "";
  if (record.outcome === "linked") return { title: `Evidence, ${percent(record.confidence)}${copied}`, evidence };
  const reason = REASONS[record.because ?? ""];
  return { title: `New device${copied}${reason === undefined ? "" : `: ${reason}`}`, evidence };
}
