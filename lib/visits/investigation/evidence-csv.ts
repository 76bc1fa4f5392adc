import { csvLine } from "@/lib/platform/csv";
import type { Evidence, EvidenceVisit } from "./domain/evidence";

type Cell = string | number | undefined;
type Column = { name: string; is?: "place" | "account"; of: (visit: EvidenceVisit) => Cell };

const COLUMNS: readonly Column[] = [
  { name: "recorded_at", of: ({ recordedAt }) => recordedAt.toISOString() },
  { name: "imprint", of: ({ imprint }) => imprint },
  { name: "device_id", of: ({ deviceId }) => deviceId },
  { name: "account_id", is: "account", of: ({ accountId }) => accountId },
  { name: "risk_status", of: ({ status }) => status },
  { name: "risk_reasons", of: ({ reasons }) => reasons.join(" ") },
  { name: "rules", of: ({ ruleIds }) => ruleIds.join(" ") },
  { name: "rules_version", of: ({ rulesVersion }) => rulesVersion },
  { name: "browser", of: ({ browser }) => browser },
  { name: "operating_system", of: ({ system }) => system },
  { name: "connection_type", of: ({ connection }) => connection },
  { name: "address", is: "place", of: ({ address }) => address },
  { name: "country_code", is: "place", of: ({ countryCode }) => countryCode },
  { name: "asn", is: "place", of: ({ asn }) => asn },
  { name: "web_app", of: ({ webApp }) => webApp },
  { name: "surface", of: ({ surface }) => surface },
  { name: "origin", of: ({ origin }) => origin },
  { name: "report_sha256", of: ({ reportSha256 }) => reportSha256 },
];

/** The visits of the evidence as CSV, without columns that the reader may not see. */
export function evidenceCsv({ visits, accounts, addresses }: Evidence): string {
  const isVisible = ({ is }: Column) =>
    is === undefined || (is === "place" ? addresses !== undefined : accounts !== undefined);
  const columns = COLUMNS.filter(isVisible);
  return [columns.map(({ name }) => name), ...visits.map((visit) => columns.map(({ of }) => of(visit)))]
    .map((cells) => csvLine(cells))
    .join("");
}
