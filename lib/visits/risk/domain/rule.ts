import type { Finding, RuleMeta } from "./evidence";
import type { Identity } from "./identity";
import type { PrivacyProfile } from "./profile";
import type { Visit } from "./visit";

/** A rule's numeric thresholds by name. */
export type Limits = Readonly<Record<string, number>>;

export type Rule = RuleMeta & {
  /** Thresholds that a candidate may override, with their defaults. */
  limits?: Limits;
  /** Privacy profiles that explain what the rule looks for. The rule is skipped for them. */
  explainedBy?: readonly PrivacyProfile[];
  /** Pure. Must not throw for any visit that the contract allows. Without compared values there is no finding. */
  check: (visit: Visit, identity: Identity, profile: PrivacyProfile, limits?: Limits) => Finding | undefined;
};
