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

/** The visits of the evidence as CSV, in parts, without columns that the reader may not see. */
export async function* evidenceCsv(
  { accounts, addresses }: Evidence,
  pages: AsyncIterable<readonly EvidenceVisit[]>,
): AsyncGenerator<string, void> {
  const isVisible = ({ is }: Column) =>
    is === undefined || (is === "place" ? addresses !== undefined : accounts !== undefined);
  const columns = COLUMNS.filter(isVisible);
  yield csvLine(columns.map(({ name }) => name));
  for await (const page of pages) yield page.map((visit) => csvLine(columns.map(({ of }) => of(visit)))).join("");
}
