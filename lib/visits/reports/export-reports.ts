import { recordAudit } from "@/lib/platform/audit";
import { type Context, onReader } from "@/lib/platform/context";
import { Report } from "@/lib/contract/report";
import { uuidToId } from "@/lib/contract/ids";
import type { Label } from "@/lib/contract/labels";
import { csvLine } from "@/lib/platform/csv";
import type { Position, ReportFilter } from "./domain/report-filter";
import { withoutPlaces } from "./domain/without-places";
import { prepareFilter } from "./prepare-filter";
import { type Access, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import type { Evidence } from "@/lib/visits/risk";
import { findEvidence, findVisitLabels, listVisits, type PreparedFilter } from "@/lib/visits/visit-store";

export const EXPORT_FORMATS = ["csv", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Maximum number of Reports in one export; beyond it, the newest ones are exported. */
export const MAX_EXPORTED = 100_000;
const ROWS_AT_ONCE = 500;

/** A fired rule and what it compared. */
type FiredRule = {
  rule: string;
  reason: string;
  status: string;
  explanation: string;
  compared: { label: string; value: string; is_odd: boolean }[];
};

type Exported = {
  webApp: string;
  surface: string;
  origin: string;
  /** Undefined for plans without Account Map; null if the Report was read without an account. */
  accountId: string | null | undefined;
  rules: FiredRule[];
  label: Label | null;
  report: Report;
};

/** The visit's evidence, without places for members who may not see them. */
const firedRules = (evidence: readonly Evidence[], placesVisible: boolean): FiredRule[] =>
  evidence.map(({ ruleId, reason, status, explanation, compared }) => ({
    rule: ruleId,
    reason,
    status,
    explanation,
    compared: compared
      .filter(({ isPlace }) => placesVisible || isPlace !== true)
      .map(({ label, value, isOdd }) => ({ label, value, is_odd: isOdd })),
  }));

async function* readAll(
  context: Context,
  filter: PreparedFilter,
  { canSeeAddresses: placesVisible, plan }: Access,
): AsyncGenerator<Exported, void> {
  let before: Position | undefined;
  for (let count = 0; count < MAX_EXPORTED;) {
    const limit = Math.min(ROWS_AT_ONCE, MAX_EXPORTED - count);
    const rows = await listVisits(context.db, filter, { after: undefined, before, limit });
    const imprintOf = (row: (typeof rows)[number]) => uuidToId("imprint", row.event_id);
    const [evidence, labels] = await Promise.all([
      findEvidence(context.db, filter, rows),
      findVisitLabels(context.db, filter.workspaceId, rows.map(imprintOf)),
    ]);
    for (const row of rows) {
      const stored = Report.parse(JSON.parse(row.report));
      const report = placesVisible ? stored : withoutPlaces(stored);
      const account = row.account === null ? null : uuidToId("account", row.account);
      yield {
        webApp: row.web_app_name,
        surface: row.surface,
        origin: row.origin,
        accountId: PLAN_LIMITS[plan].hasAccountMap ? account : undefined,
        rules: firedRules(evidence.get(row.event_id) ?? [], placesVisible),
        label: labels.get(imprintOf(row)) ?? null,
        report,
      };
    }
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    before = { recordedAt: last.recorded_at, eventId: last.event_id };
    count += rows.length;
  }
}

type Cell = string | number | boolean | null | undefined;

/** Columns of the CSV file. Places are omitted for members who may not see them. */
const COLUMNS: readonly { name: string; isPlace?: true; of: (row: Exported) => Cell }[] = [
  { name: "created_at", of: ({ report }) => report.created_at },
  { name: "imprint", of: ({ report }) => report.imprint },
  { name: "device_id", of: ({ report }) => report.device.id },
  { name: "device_seen_before", of: ({ report }) => report.device.seen_before },
  { name: "device_access_count", of: ({ report }) => report.device.access_count },
  { name: "risk_status", of: ({ report }) => report.risk.status },
  { name: "risk_reasons", of: ({ report }) => report.risk.reasons.join(" ") },
  { name: "rules", of: ({ rules }) => rules.map(({ rule }) => rule).join(" ") },
  { name: "account_id", of: ({ accountId }) => accountId },
  { name: "browser", of: ({ report }) => report.browser.name },
  { name: "browser_version", of: ({ report }) => report.browser.version },
  { name: "operating_system", of: ({ report }) => report.operating_system.name },
  { name: "operating_system_version", of: ({ report }) => report.operating_system.version },
  { name: "network_status", of: ({ report }) => report.network.status },
  { name: "connection_type", of: ({ report }) => report.network.connection_type },
  { name: "proxy_detected", of: ({ report }) => report.network.proxy_detected },
  { name: "ip_consistency", of: ({ report }) => report.network.ip_consistency },
  { name: "observed_ip", isPlace: true, of: ({ report }) => report.network.observed_ip },
  { name: "alternate_ip", isPlace: true, of: ({ report }) => report.network.alternate_ip },
  { name: "country_code", isPlace: true, of: ({ report }) => report.network.country_code },
  { name: "region", isPlace: true, of: ({ report }) => report.network.location?.region },
  { name: "city", isPlace: true, of: ({ report }) => report.network.location?.city },
  { name: "asn", isPlace: true, of: ({ report }) => report.network.asn },
  { name: "provider", isPlace: true, of: ({ report }) => report.network.provider },
  { name: "web_app", of: ({ webApp }) => webApp },
  { name: "surface", of: ({ surface }) => surface },
  { name: "origin", of: ({ origin }) => origin },
  { name: "label", of: ({ label }) => label },
];

async function* asCsv(rows: AsyncIterable<Exported>, placesVisible: boolean): AsyncGenerator<string, void> {
  const columns = COLUMNS.filter(({ isPlace }) => placesVisible || !isPlace);
  yield csvLine(columns.map(({ name }) => name));
  for await (const row of rows) yield csvLine(columns.map(({ of }) => of(row)));
}

async function* asJson(rows: AsyncIterable<Exported>): AsyncGenerator<string, void> {
  let count = 0;
  for await (const { webApp, surface, origin, accountId, rules, label, report } of rows) {
    const visit = { web_app: webApp, surface, origin, account_id: accountId, rules, label, report };
    yield `${count === 0 ? '{"reports":[' : ","}\n${JSON.stringify(visit)}`;
    count += 1;
  }
  // A truncated file is not valid JSON, so it cannot be mistaken for a complete one.
  yield `${count === 0 ? '{"reports":[' : ""}\n],"count":${count},"is_complete":${count < MAX_EXPORTED}}\n`;
}

/**
 * Exports the Reports of a filter as a file, newest first, up to `MAX_EXPORTED`, streamed while it is read. Uses no
 * report unit. Members who may not see addresses and places get a file without them.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`
 */
export async function exportReports(
  context: Context,
  { format, ...input }: ReportFilter & { format: ExportFormat },
): Promise<AsyncGenerator<string, void>> {
  const { access, filter } = await prepareFilter(context, input);
  await recordAudit(context.db, context, {
    workspaceId: input.workspaceId,
    action: "export.create",
    target: input.workspaceId,
    detail: { format, from: input.from.toISOString(), to: input.to.toISOString() },
  });
  const rows = readAll(onReader(context), filter, access);
  return format === "csv" ? asCsv(rows, access.canSeeAddresses) : asJson(rows);
}
