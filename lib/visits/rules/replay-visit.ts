import type { Report, ReportStatus } from "@/lib/contract/report";
import { idToUuid } from "@/lib/contract/ids";
import { mergeJourneyAgain } from "@/lib/visits/network";
import {
  assessRisk,
  type Assessment,
  type Evidence,
  RISK_RULES,
  type RuleSettings,
  type Visit,
} from "@/lib/visits/risk";
import type { StoredVisitSignals } from "@/lib/visits/visit-store";

/** The parts of a Report that rules determine, in the Report's bytes. This is what a replay can compare. */
export type Verdict = { status: ReportStatus; text: string };

type StoredAgent = { name?: string; keyId?: string };
type Stored = { risk: Evidence[]; observed?: Evidence[]; agent?: StoredAgent | null };

const verdictText = (parts: Pick<Report, "risk"> & Record<"browser" | "operating_system" | "network", ReportStatus>) =>
  JSON.stringify([parts.risk, parts.browser, parts.operating_system, parts.network]);

export function storedVerdict(report: string): Verdict {
  const { risk, browser, operating_system, network } = JSON.parse(report) as Report; // as the service stored it
  const statuses = { browser: browser.status, operating_system: operating_system.status, network: network.status };
  return { status: risk.status, text: verdictText({ risk, ...statuses }) };
}

export const verdictOf = (risk: Assessment): Verdict => ({
  status: risk.status,
  text: verdictText({
    risk: { status: risk.status, reasons: risk.reasons, findings: risk.findings },
    browser: risk.browserStatus,
    operating_system: risk.operatingSystemStatus,
    network: risk.networkStatus,
  }),
});

const COMPUTED = new Set(RISK_RULES.map(({ id }) => id));

/** When the service received a visit, by its clock. Rules compare dates with it. */
const receivedAt = (imprint: string) => new Date(Number.parseInt(idToUuid(imprint).slice(0, 12), 16));

/**
 * Reapplies the rules to a stored visit. Findings of checks that need network data or earlier visits are kept as
 * stored. Rules that were only observed then are observed again, in addition to those of `settings`.
 */
export function replayVisit({ imprint, signals, evidence }: StoredVisitSignals, settings: RuleSettings): Assessment {
  const { risk, observed = [], agent } = evidence as Stored; // as the service stored it
  const { signals: groups, request } = signals as Pick<Visit, "signals" | "request">;
  const observedRules = [...observed.map(({ ruleId }) => ruleId), ...settings.observed];
  const extraFindings = mergeJourneyAgain(
    [...risk, ...observed].filter(({ ruleId }) => !COMPUTED.has(ruleId)),
    observedRules,
  );
  const signedBy =
    agent?.name === undefined || agent.keyId === undefined ? undefined : { name: agent.name, keyId: agent.keyId };
  return assessRisk(
    { signals: groups, request, now: receivedAt(imprint) },
    { extraFindings, agent: signedBy, settings: { ...settings, observed: observedRules } },
  );
}
