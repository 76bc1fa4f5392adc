import { Report, REPORT_SCHEMA_VERSION } from "@/lib/contract/report";
import type { NetworkAssessment } from "@/lib/visits/network";
import type { Identity, Assessment } from "@/lib/visits/risk";
import { ComposedReport, type StoredFacts, wholeReport } from "./domain/whole-report";

type Parts = { imprint: string; identity: Identity; risk: Assessment; network: NetworkAssessment };

const known = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Builds the part of a visit's Report that is known before the visit is stored, validated by the strict schema. */
export function composeReport({ imprint, identity, risk, network }: Parts): ComposedReport {
  return ComposedReport.parse({
    schema_version: REPORT_SCHEMA_VERSION,
    imprint,
    risk: { status: risk.status, reasons: risk.reasons, findings: risk.findings },
    browser: {
      status: risk.browserStatus,
      ...known({ name: identity.browser.name, version: identity.browser.version }),
    },
    operating_system: {
      status: risk.operatingSystemStatus,
      ...known({ name: identity.operatingSystem.name, version: identity.operatingSystem.version }),
    },
    network: { status: risk.networkStatus, ...network.description },
  });
}

/**
 * A whole Report and its JSON text, for a visit whose device and activity are known. The database generates the same
 * text.
 */
export function completeReport(
  composed: ComposedReport,
  stored: StoredFacts<unknown>,
): { value: Report; json: string } {
  const value = Report.parse(wholeReport<unknown, unknown>(composed, stored));
  return { value, json: JSON.stringify(value) };
}
