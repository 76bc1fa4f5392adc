import { Report, REPORT_SCHEMA_VERSION } from "@/lib/contract/report";
import type { NetworkAssessment } from "@/lib/network";
import type { Identity, Assessment } from "@/lib/risk";

type Parts = { imprint: string; identity: Identity; risk: Assessment; network: NetworkAssessment };

/** A Report but for what only the database knows when it stores it: the event's time, its device and the activity. */
export type ComposedReport = Pick<
  Report,
  "schema_version" | "imprint" | "risk" | "browser" | "operating_system" | "network"
>;

const known = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const Composed = Report.omit({ created_at: true, device: true, activity: true, account_map: true });

/** The canonical Report of a visit, as far as it is known before it is stored. It passes the strict schema here, once. */
export function composeReport({ imprint, identity, risk, network }: Parts): ComposedReport {
  return Composed.parse({
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
