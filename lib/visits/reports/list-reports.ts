import { type Context, onReader } from "@/lib/platform/context";
import { type Reason, Report, type ReportStatus } from "@/lib/contract/report";
import { uuidToId } from "@/lib/contract/ids";
import { type Access, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { formatCursor, parseCursor, type Position, type ReportFilter } from "./domain/report-filter";
import { narrowBySlices } from "./narrow-by-slices";
import { prepareFilter } from "./prepare-filter";
import { listVisits } from "@/lib/visits/visit-store";

type Named = { name?: string | undefined; version?: string | undefined };

export type ReportListItem = {
  imprint: string;
  deviceId: string;
  recordedAt: Date;
  webAppId: string;
  webAppName: string;
  surface: string;
  origin: string;
  status: ReportStatus;
  reasons: Reason[];
  browser: Named;
  operatingSystem: Named;
  /** Undefined if the member may not see addresses; null if unknown. */
  address?: string | null;
  countryCode?: string | null;
  network?: { asn: number | undefined; provider: string | undefined };
  /** Undefined for plans without Account Map; null if the Report was read without an account. */
  accountId?: string | null;
};

export type ReportPage = {
  items: ReportListItem[];
  older: string | null;
  newer: string | null;
  /** Cursor of the first item, for polling for newer visits. */
  newest: string | null;
  addressesVisible: boolean;
  accountsVisible: boolean;
};

type Input = ReportFilter & { before?: string | undefined; after?: string | undefined; limit?: number };
type Row = Awaited<ReturnType<typeof listVisits>>[number];

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

const positionOf = (row: Row): Position => ({ recordedAt: row.recorded_at, eventId: row.event_id });

function toItem(
  row: Row,
  { canSeeAddresses: addressesVisible, plan }: Pick<Access, "canSeeAddresses" | "plan">,
): ReportListItem {
  const report = Report.parse(JSON.parse(row.report));
  const named = ({ name, version }: Named): Named => ({ name, version });
  return {
    imprint: report.imprint,
    deviceId: uuidToId("device", row.device_id),
    recordedAt: new Date(Number(row.recorded_ms)),
    webAppId: uuidToId("webApp", row.web_app_id),
    webAppName: row.web_app_name,
    surface: row.surface,
    origin: row.origin,
    status: row.status,
    reasons: row.reasons,
    browser: named(report.browser),
    operatingSystem: named(report.operating_system),
    ...(addressesVisible
      ? {
          address: row.address,
          countryCode: row.country_code,
          network: { asn: report.network.asn, provider: report.network.provider },
        }
      : {}),
    ...(PLAN_LIMITS[plan].hasAccountMap
      ? { accountId: row.account === null ? null : uuidToId("account", row.account) }
      : {}),
  };
}

/**
 * Lists a workspace's visits, newest first, in pages.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`
 */
export async function listReports(context: Context, input: Input): Promise<ReportPage> {
  const { access, filter } = await prepareFilter(context, input);
  const limit = Math.min(Math.max(1, input.limit ?? DEFAULT_LIMIT), MAX_LIMIT);
  const after = input.after === undefined ? undefined : parseCursor(input.after);
  const before = input.before === undefined ? undefined : parseCursor(input.before);
  const { db } = onReader(context);
  const page = { after, before, limit: limit + 1 };
  const rows = await listVisits(db, filter, { ...page, within: await narrowBySlices(db, filter, page) });
  const isMore = rows.length > limit;
  const shown = after ? rows.slice(isMore ? 1 : 0) : rows.slice(0, limit);
  const [first, last] = [shown[0], shown.at(-1)];
  const hasOlder = after ? true : isMore;
  const hasNewer = after ? isMore : before !== undefined;
  return {
    items: shown.map((row) => toItem(row, access)),
    older: hasOlder && last ? formatCursor(positionOf(last)) : null,
    newer: hasNewer && first ? formatCursor(positionOf(first)) : null,
    newest: first ? formatCursor(positionOf(first)) : null,
    addressesVisible: access.canSeeAddresses,
    accountsVisible: PLAN_LIMITS[access.plan].hasAccountMap,
  };
}
