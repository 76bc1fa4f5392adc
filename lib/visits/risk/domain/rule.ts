import type { Reason } from "@/lib/contract/report";

import type { Identity } from "./identity";
import type { PrivacyProfile } from "./profile";
import type { Visit } from "./visit";

/** One of the facts that a rule compared; `isOdd` marks the one that does not fit. */
export type Compared = {
  label: string;
  value: string;
  isOdd: boolean;
  /** An address, or a place or network derived from one: only for members who may see addresses. */
  isPlace?: boolean;
};

/**
 * DECEPTIVE only for definitive automation or a hard contradiction about one fact; everything softer is SUSPICIOUS,
 * however many of it there are.
 */
export type Finding = {
  status: "SUSPICIOUS" | "DECEPTIVE";
  /** One sentence for people without the trade: what was seen and why it does not fit. */
  explanation: string;
  compared: Compared[];
  /** Instead of the rule's, where not all of them explain what was found. */
  harmlessCauses?: readonly string[];
};

export type RuleMeta = {
  /** Stable: stored with every visit. A rule that changes its meaning gets a new id. */
  id: string;
  reason: Reason;
  /** Where the rule comes from: a specification, a tool's own source or a measurement. */
  source: string;
  harmlessCauses: readonly string[];
};

/** Numbers of a rule by name. */
export type Limits = Readonly<Record<string, number>>;

export type Rule = RuleMeta & {
  /** The numbers that a candidate may set otherwise, with those that hold. */
  limits?: Limits;
  /** Profiles that explain what the rule looks for; the rule is not asked under them. */
  explainedBy?: readonly PrivacyProfile[];
  /** Pure, and never throws on any visit that the contract admits. */
  check: (visit: Visit, identity: Identity, profile: PrivacyProfile, limits?: Limits) => Finding | undefined;
};

/** What the Console shows of a finding, and what the caller passes in for facts that are not the browser's. */
export type Evidence = Finding & {
  ruleId: string;
  reason: Reason;
  harmlessCauses: readonly string[];
  source: string;
};
