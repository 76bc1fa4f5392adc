import { type Reason, REASONS, type ReportStatus } from "@/lib/contract/report";

import { type DeclaredAgent, withDeclaredAgent } from "./declared-agent";
import { identify, type Identity } from "./identity";
import { privacyProfile, type PrivacyProfile } from "./profile";
import type { Evidence } from "./evidence";
import type { Limits, Rule } from "./rule";
import { RULES } from "./rules";
import { maxStatus } from "./severity";
import type { Visit } from "./visit";

/** Stored with every visit. Raised once per release in which a rule was added or removed, or decides differently. */
export const RULES_VERSION = "2027.01";

type Part = "browser" | "operatingSystem" | "network";

/** The part of the Report whose status a reason affects. Reasons without a part affect only the overall status. */
const PART_OF_REASON: Record<Reason, Part | undefined> = {
  BROWSER_VERSION_MISMATCH: "browser",
  BROWSER_IDENTITY_MISMATCH: "browser",
  OS_ENVIRONMENT_MISMATCH: "operatingSystem",
  AUTOMATION_DETECTED: "browser",
  ENVIRONMENT_INCONSISTENT: undefined,
  PROXY_DETECTED: "network",
  HOSTING_NETWORK_DETECTED: "network",
  NETWORK_INCONSISTENT: "network",
  LOCATION_INCONSISTENT: "network",
  SIGNAL_DATA_INCOMPLETE: undefined,
};

export type Assessment = {
  rulesVersion: string;
  status: ReportStatus;
  /** In the contract's order, without duplicates. */
  reasons: Reason[];
  /** One per reason, with the highest severity found. */
  findings: { reason: Reason; status: ReportStatus }[];
  browserStatus: ReportStatus;
  operatingSystemStatus: ReportStatus;
  networkStatus: ReportStatus;
  evidence: Evidence[];
  /** Findings of rules that are only observed. They affect neither status nor reasons. */
  observed: Evidence[];
  profile: PrivacyProfile;
};

/** Overrides for rules, by rule id. */
export type RuleSettings = {
  /** Rules that only record evidence. */
  observed: readonly string[];
  limits?: Readonly<Record<string, Limits>>;
  /** Severity of a rule's findings, in place of the rule's own. */
  statuses?: Readonly<Record<string, Evidence["status"]>>;
};

const AS_THEY_ARE: RuleSettings = { observed: [] };

const applyRule = (rule: Rule, ...facts: Parameters<Rule["check"]>): Evidence[] => {
  const [, , profile] = facts;
  if (rule.explainedBy?.includes(profile)) return [];
  const finding = rule.check(...facts);
  const { id, reason, harmlessCauses, source } = rule;
  return finding && finding.compared.length > 0 ? [{ ruleId: id, reason, harmlessCauses, ...finding, source }] : [];
};

/** What else is known of a visit. */
type Known = {
  /** Findings of checks that know more than the browser's claims, such as the network's. They count like the rules'. */
  extraFindings?: readonly Evidence[];
  identity?: Identity;
  /** The agent that signed the visit's request: its automation is declared and does not count as disguise. */
  agent?: DeclaredAgent | undefined;
  settings?: RuleSettings;
};

/** Assesses a visit by every rule. */
export function assessRisk(
  visit: Visit,
  { extraFindings = [], identity = identify(visit), agent, settings = AS_THEY_ARE }: Known = {},
): Assessment {
  const { observed: observedRules, limits, statuses } = settings;
  const profile = privacyProfile(visit);
  const found = [
    ...RULES.flatMap((rule) => applyRule(rule, visit, identity, profile, limits?.[rule.id])),
    ...extraFindings,
  ];
  const said = agent ? withDeclaredAgent(found, agent) : found;
  const all = statuses ? said.map((item) => ({ ...item, status: statuses[item.ruleId] ?? item.status })) : said;
  const isObserved = ({ ruleId }: Evidence) => observedRules.includes(ruleId);
  const observed = observedRules.length === 0 ? [] : all.filter(isObserved);
  const evidence = observed.length === 0 ? all : all.filter((item) => !isObserved(item));

  const statusWhere = (matches: (item: Evidence) => boolean) =>
    maxStatus(evidence.filter(matches).map((item) => item.status));
  const statusOf = (part: Part) => statusWhere((item) => PART_OF_REASON[item.reason] === part);
  const reasons = REASONS.filter((reason) => evidence.some((item) => item.reason === reason));

  return {
    rulesVersion: RULES_VERSION,
    status: statusWhere(() => true),
    reasons,
    findings: reasons.map((reason) => ({ reason, status: statusWhere((item) => item.reason === reason) })),
    browserStatus: statusOf("browser"),
    operatingSystemStatus: statusOf("operatingSystem"),
    networkStatus: statusOf("network"),
    evidence,
    observed,
    profile,
  };
}
