import { type Activity, Report, REPORT_SCHEMA_VERSION } from "@/lib/contract/report";
import type { DeviceVisit } from "@/lib/devices";
import type { NetworkAssessment } from "@/lib/network";
import type { Identity, Assessment } from "@/lib/risk";

type Parts = {
  imprint: string;
  device: DeviceVisit;
  identity: Identity;
  risk: Assessment;
  network: NetworkAssessment;
  activity: Activity;
};

const known = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** The canonical Report of a visit and the JSON text that is stored and served. It passes the strict schema here, once. */
export function composeReport({ imprint, device, identity, risk, network, activity }: Parts): {
  value: Report;
  json: string;
} {
  const value = Report.parse({
    schema_version: REPORT_SCHEMA_VERSION,
    imprint,
    created_at: new Date(device.recordedAt).toISOString(),
    device: {
      id: device.deviceId,
      seen_before: device.accessCount > 1,
      access_count: device.accessCount,
      first_seen_at: device.firstSeenAt.toISOString(),
      previous_seen_at: device.previousSeenAt?.toISOString() ?? null,
    },
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
    activity,
  });
  return { value, json: JSON.stringify(value) };
}
