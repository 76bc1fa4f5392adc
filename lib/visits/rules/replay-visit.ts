import type { Report, ReportStatus } from "@/lib/contract/report";
import { idToUuid } from "@/lib/contract/ids";
import {
  assessRisk,
  type Assessment,
  type Evidence,
  RISK_RULES,
  type RuleSettings,
  type Visit,
} from "@/lib/visits/risk";
import type { StoredVisitSignals } from "@/lib/visits/visit-store";

/** What a Report says by its rules: everything that a replay can compare, in the bytes of the Report. */
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

/** When the service received a visit, by its clock: rules compare dates with it. */
const receivedAt = (imprint: string) => new Date(Number.parseInt(idToUuid(imprint).slice(0, 12), 16));

/**
 * Applies the rules to a stored visit again. What checks found that need the network's data or earlier visits is taken as
 * it was found; a rule that was only observed then is so again, besides those of `settings`.
 */
export function replayVisit({ imprint, signals, evidence }: StoredVisitSignals, settings: RuleSettings): Assessment {
  const { risk, observed = [], agent } = evidence as Stored; // as the service stored it
  const { signals: groups, request } = signals as Pick<Visit, "signals" | "request">;
  const extra = [...risk, ...observed].filter(({ ruleId }) => !COMPUTED.has(ruleId));
  const signedBy =
    agent?.name === undefined || agent.keyId === undefined ? undefined : { name: agent.name, keyId: agent.keyId };
  const observedThen = observed.map(({ ruleId }) => ruleId);
  return assessRisk({ signals: groups, request, now: receivedAt(imprint) }, extra, undefined, signedBy, {
    ...settings,
    observed: [...observedThen, ...settings.observed],
  });
}
