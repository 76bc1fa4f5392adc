import type { Report } from "@/lib/contract/report";

/** The Report as shown to members who may not see addresses and places. */
export function withoutPlaces(report: Report): Report {
  const { status, ip_consistency, proxy_detected, connection_type } = report.network;
  return {
    ...report,
    network: {
      status,
      ip_consistency,
      ...(proxy_detected === undefined ? {} : { proxy_detected }),
      ...(connection_type === undefined ? {} : { connection_type }),
    },
  };
}
