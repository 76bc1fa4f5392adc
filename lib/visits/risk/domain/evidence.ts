import type { Reason } from "@/lib/contract/report";

/** One fact that a rule compared. `isOdd` marks the value that does not fit. */
export type Compared = {
  label: string;
  value: string;
  isOdd: boolean;
  /** An address, or a place or network derived from one. Only for members who may see addresses. */
  isPlace?: boolean;
};

/**
 * DECEPTIVE is only for definite automation or a hard contradiction about one fact. Anything softer is SUSPICIOUS,
 * however many such findings there are.
 */
export type Finding = {
  status: "SUSPICIOUS" | "DECEPTIVE";
  /** One sentence for non-experts: what was seen and why it does not fit. */
  explanation: string;
  compared: Compared[];
  /** Overrides the rule's own list if not all of those causes apply. */
  harmlessCauses?: readonly string[];
};

export type RuleMeta = {
  /** Stable, as it is stored with visits. A rule whose meaning changes gets a new id. */
  id: string;
  reason: Reason;
  /** Origin of the rule: a specification, a tool's source code or a measurement. */
  source: string;
  harmlessCauses: readonly string[];
};

/** A finding as shown in the Console, and as passed in by checks of other facts than the browser's. */
export type Evidence = Finding & Omit<RuleMeta, "id"> & { ruleId: string };

/** The finding of a check that states its own source and harmless causes. `reasons` has the reason of each rule. */
export const checkEvidence = <Id extends string>(
  reasons: Readonly<Record<Id, Reason>>,
  ruleId: Id,
  found: Omit<Evidence, "ruleId" | "reason" | "status">,
): Evidence => ({ ruleId, reason: reasons[ruleId], status: "SUSPICIOUS", ...found });
