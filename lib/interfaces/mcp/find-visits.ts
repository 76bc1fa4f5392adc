import { z } from "zod";

import { AppError, isAppError } from "@/lib/contract/errors";
import { idPattern } from "@/lib/contract/ids";
import { Reason, REASONS, REPORT_STATUSES, ReportStatus } from "@/lib/contract/report";
import { findAccount, readAccount } from "@/lib/visits/account-map";
import {
  countFurther,
  countReports,
  listReports,
  MAX_COUNTED_BY_DEVICE,
  type ReportListItem,
} from "@/lib/visits/reports";
import { DeviceId, instantText, Time } from "./arguments";
import { resolveTimeRange } from "./domain/time-range";
import { defineTool, mayReadReports, type ToolContext } from "./tool";

const DEFAULT_LIMIT = 5;
/** Keeps an answer below 10,000 tokens, whatever the surfaces are called. */
const MAX_LIMIT = 40;
/** Values counted for each field; rarer ones can be found with a filter. */
const MAX_VALUES = 5;
const MAX_DEVICES = 3;
const MAX_ASN = 0xff_ff_ff_ff;

const Input = z.strictObject({
  account: z
    .string()
    .optional()
    .describe(
      "Your own user's primary key, as the site's server sends it, or acc_… from an answer. Requires the scope svc.report.pro",
    ),
  device: DeviceId.optional().describe("dev_… from an answer"),
  address: z.string().optional().describe("IP address, or a range such as 203.0.113.0/24"),
  asn: z.int().min(0).max(MAX_ASN).optional().describe("Network, by its AS number"),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, "expected two letters, such as DE")
    .optional()
    .describe("Two-letter ISO 3166 code"),
  status: z.enum(REPORT_STATUSES).optional(),
  reason: z.enum(REASONS).optional(),
  from: Time.optional().describe("Day (UTC) or instant; by default 30 days before to, at most 400"),
  to: Time.optional().describe("Day (inclusive) or instant; default now"),
  limit: z.int().min(0).max(MAX_LIMIT).optional().describe(`Visits to list; default ${DEFAULT_LIMIT}`),
  cursor: z.string().max(100).optional().describe("next of the previous answer, with the other arguments unchanged"),
});
type Input = z.output<typeof Input>;

const count = z.int().min(0);
const counts = z.record(z.string(), count);

const FoundVisits = z.strictObject({
  from: z.string(),
  to: z.string(),
  total: count.describe("Matching visits, including those not listed").optional(),
  devices: count
    .describe(`Distinct devices among them, if there are at most ${MAX_COUNTED_BY_DEVICE} visits`)
    .optional(),
  busiest_devices: z.array(z.strictObject({ device: z.string(), visits: count })).optional(),
  by_status: counts.optional(),
  by_reason: counts.optional(),
  by_country: counts.optional(),
  by_connection: counts.optional(),
  by_browser: counts.optional(),
  by_operating_system: counts.optional(),
  account: z
    .strictObject({
      account: z.string(),
      visits: count,
      devices: count,
      first_seen_at: z.string(),
      last_seen_at: z.string(),
      newest_devices: z.array(z.strictObject({ device: z.string(), first_seen_at: z.string() })),
    })
    .nullable()
    .describe("Over all time; null if no visit was ever linked to it")
    .optional(),
  visits: z
    .array(
      z.strictObject({
        imprint: z.string(),
        at: z.string(),
        device: z.string(),
        status: ReportStatus,
        reasons: z.array(Reason).optional(),
        surface: z.string(),
        browser: z.string().optional(),
        operating_system: z.string().optional(),
        observed_ip: z.string().optional(),
        country_code: z.string().optional(),
      }),
    )
    .describe("Newest first"),
  next: z.string().describe("Cursor for older visits").optional(),
});
type FoundVisits = z.output<typeof FoundVisits>;

/**
 * The account id for an argument: either the id itself, or looked up by the site's own reference; undefined if never
 * seen.
 */
async function accountIdOf(context: ToolContext, account: string | undefined): Promise<string | undefined> {
  const { workspaceId } = context.principal.access;
  if (account === undefined || idPattern("account").test(account)) return account;
  return await findAccount(context, { workspaceId, accountRef: account });
}

async function describeAccount(context: ToolContext, accountId: string): Promise<FoundVisits["account"]> {
  const { workspaceId } = context.principal.access;
  try {
    const found = await readAccount(context, { workspaceId, accountId });
    return {
      account: found.accountId,
      visits: found.visits,
      devices: found.devices,
      first_seen_at: instantText(found.firstSeenAt),
      last_seen_at: instantText(found.lastSeenAt),
      newest_devices: found.newestDevices
        .slice(0, MAX_DEVICES)
        .map(({ deviceId, firstSeenAt }) => ({ device: deviceId, first_seen_at: instantText(firstSeenAt) })),
    };
  } catch (error) {
    if (isAppError(error) && error.code === "not_found") return null;
    throw error;
  }
}

type ByField = NonNullable<Awaited<ReturnType<typeof countFurther>>["byField"]>;

/** The most frequent values of a field; undefined if there are none. */
function tally(counted: ByField, wanted: ByField[number]["field"]): Record<string, number> | undefined {
  const of = counted.filter(({ field }) => field === wanted).slice(0, MAX_VALUES);
  return of.length === 0 ? undefined : Object.fromEntries(of.map(({ value, visits }) => [value, visits]));
}

function tallies(counted: ByField): Partial<FoundVisits> {
  const [country, connection, browser, system] = (["country", "connection", "browser", "system"] as const).map(
    (field) => tally(counted, field),
  );
  return {
    ...(country && { by_country: country }),
    ...(connection && { by_connection: connection }),
    ...(browser && { by_browser: browser }),
    ...(system && { by_operating_system: system }),
  };
}

const visitOf = ({ imprint, recordedAt, deviceId, status, reasons, surface, ...rest }: ReportListItem) => ({
  imprint,
  at: instantText(recordedAt),
  device: deviceId,
  status,
  ...(reasons.length > 0 && { reasons }),
  surface,
  ...(rest.browser.name !== undefined && { browser: rest.browser.name }),
  ...(rest.operatingSystem.name !== undefined && { operating_system: rest.operatingSystem.name }),
  ...(typeof rest.address === "string" && { observed_ip: rest.address }),
  ...(typeof rest.countryCode === "string" && { country_code: rest.countryCode }),
});

type Filter = Parameters<typeof listReports>[1];

async function countAll(context: ToolContext, filter: Filter): Promise<Partial<FoundVisits>> {
  const { total: byStatus } = await countReports(context, { ...filter, starts: [filter.from] });
  const total = byStatus.PASS + byStatus.SUSPICIOUS + byStatus.DECEPTIVE;
  if (total === 0) return { total };
  const { reasons, byField, byDevice } = await countFurther(context, { ...filter, total });
  return {
    total,
    ...(byDevice && {
      devices: byDevice.devices,
      busiest_devices: byDevice.busiest.map(({ deviceId, visits }) => ({ device: deviceId, visits })),
    }),
    by_status: byStatus,
    by_reason: reasons,
    ...(byField && tallies(byField)),
  };
}

/** @throws AppError `invalid_request` */
function rangeOf(input: Input, now: Date) {
  const range = resolveTimeRange(input, now);
  if (typeof range === "string") throw new AppError("invalid_request", { message: range });
  return range;
}

async function findVisits(context: ToolContext, input: Input): Promise<FoundVisits> {
  const { workspaceId } = context.principal.access;
  const range = rangeOf(input, context.now);
  const texts = { from: instantText(range.from), to: instantText(range.to) };
  const accountId = await accountIdOf(context, input.account);
  if (input.account !== undefined && accountId === undefined) return { ...texts, total: 0, account: null, visits: [] };
  const { device: deviceId, address, asn, status, reason, limit = DEFAULT_LIMIT, cursor } = input;
  const country = input.country?.toUpperCase();
  const filter = { workspaceId, ...range, accountId, deviceId, address, asn, country, status, reason };
  const isFirst = cursor === undefined;
  const [page, counted, account] = await Promise.all([
    listReports(context, { ...filter, before: cursor, limit: Math.max(1, limit) }),
    isFirst ? countAll(context, filter) : {},
    isFirst && accountId !== undefined ? describeAccount(context, accountId) : undefined,
  ]);
  return {
    ...texts,
    ...counted,
    ...(account !== undefined && { account }),
    visits: page.items.slice(0, limit).map(visitOf),
    ...(page.older !== null && limit > 0 && { next: page.older }),
  };
}

export const findVisitsTool = defineTool({
  name: "svc_find_visits",
  title: "Find visits",
  description:
    "Visits of this workspace by account, device, address, network, reason, status and time, newest first, each with its imprint; and counts by status, reason, country, connection, browser and system, with the number of devices and the busiest ones. " +
    "With account, also how many devices and visits that account ever had. For counts only, use limit 0. Uses no report unit.",
  input: Input,
  output: FoundVisits,
  isFor: mayReadReports,
  scopeOf: ({ account }) => (account === undefined || account === null ? "svc.report.lite" : "svc.report.pro"),
  run: async (context, input) => JSON.stringify(await findVisits(context, input)),
});
