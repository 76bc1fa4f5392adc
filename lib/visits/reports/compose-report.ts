import { type Activity, Report, REPORT_SCHEMA_VERSION } from "@/lib/contract/report";
import type { NetworkAssessment } from "@/lib/visits/network";
import type { Identity, Assessment } from "@/lib/visits/risk";

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

type DeviceVisit = {
  deviceId: string;
  recordedAt: Date;
  firstSeenAt: Date;
  previousSeenAt: Date | undefined;
  accessCount: number;
};

/** A whole Report and its text, for a visit whose device and activity are known: the database makes the same text. */
export function completeReport(
  { schema_version, imprint, ...rest }: ComposedReport,
  device: DeviceVisit,
  activity: Activity,
): { value: Report; json: string } {
  const value = Report.parse({
    schema_version,
    imprint,
    created_at: device.recordedAt.toISOString(),
    device: {
      id: device.deviceId,
      seen_before: device.accessCount > 1,
      access_count: device.accessCount,
      first_seen_at: device.firstSeenAt.toISOString(),
      previous_seen_at: device.previousSeenAt?.toISOString() ?? null,
    },
    ...rest,
    activity,
  });
  return { value, json: JSON.stringify(value) };
}
