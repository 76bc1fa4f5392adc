import { z } from "zod";

import { isAppError } from "@/lib/contract/errors";
import { RECOGNITIONS, ReportStatus } from "@/lib/contract/report";
import { covers } from "@/lib/interfaces/oauth";
import { listDeviceAccounts } from "@/lib/visits/account-map";
import { decidedRecognition, listDeviceAddresses, readDevice } from "@/lib/visits/devices";
import { summariseSubject } from "@/lib/visits/investigation";
import { countReports, readDeviceVisits } from "@/lib/visits/reports";
import { DAY_MS } from "@/lib/platform/calendar";
import { DeviceId, instantText } from "./arguments";
import { defineTool, mayReadReports, type ToolContext } from "./tool";

const MAX_LISTED = 5;
const MAX_VISITS = 8;
const COUNTED_DAYS = 90;

const count = z.int().min(0);

const Device = z.strictObject({
  device: z.string(),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
  visits: count.describe("Over all time"),
  by_status: z.record(z.string(), count).describe(`Visits of the last ${COUNTED_DAYS} days`),
  browser: z.string(),
  operating_system: z.string(),
  tokens: count.describe(
    "Browser storages that hold a token of this device: one, unless storage was cleared or copied",
  ),
  newest_visits: z.array(
    z.strictObject({
      imprint: z.string(),
      at: z.string(),
      status: ReportStatus.optional(),
      recognised_by: z.enum(RECOGNITIONS).optional(),
      confidence: z.number().optional(),
    }),
  ),
  account_count: count.optional(),
  accounts: z
    .array(
      z.strictObject({ account: z.string(), first_seen_at: z.string(), devices: count.describe("Of that account") }),
    )
    .optional(),
  address_count: count.describe("Distinct addresses"),
  addresses: z
    .array(
      z.strictObject({
        address: z.string(),
        country_code: z.string().optional(),
        first_seen_at: z.string(),
        last_seen_at: z.string(),
      }),
    )
    .optional(),
  not_shown: z.array(z.string()).describe("Parts left out, and why").optional(),
});

/** Resolves to undefined if the role or plan does not include a part; rethrows other errors. */
async function unlessRefused<T>(part: Promise<T>): Promise<T | undefined> {
  try {
    return await part;
  } catch (error) {
    if (isAppError(error) && (error.code === "forbidden" || error.code === "account_map_not_allowed")) return undefined;
    throw error;
  }
}

const key = (context: ToolContext, deviceId: string) => ({
  workspaceId: context.principal.access.workspaceId,
  deviceId,
});

async function describeAccounts(context: ToolContext, deviceId: string) {
  if (!covers(context.principal.scopes, "svc.report.pro"))
    return { notShown: "accounts: this client lacks the scope svc.report.pro" };
  const page = await unlessRefused(listDeviceAccounts(context, key(context, deviceId)));
  if (!page) return { notShown: "accounts: Account Map is not part of this plan" };
  const { accounts, older } = page;
  const counted =
    older === null
      ? accounts.length
      : (await summariseSubject(context, { ...key(context, deviceId), kind: "device" })).accounts;
  const listed = accounts.slice(0, MAX_LISTED).map(({ accountId, firstSeenAt, devices }) => ({
    account: accountId,
    first_seen_at: instantText(firstSeenAt),
    devices,
  }));
  return { shown: { ...(counted !== undefined && { account_count: counted }), accounts: listed } };
}

async function describeAddresses(context: ToolContext, deviceId: string) {
  const page = await unlessRefused(listDeviceAddresses(context, key(context, deviceId)));
  if (!page) return { notShown: "addresses: the role of the person behind this client does not include them" };
  const listed = page.addresses.slice(0, MAX_LISTED).map(({ address, countryCode, firstSeenAt, lastSeenAt }) => ({
    address,
    ...(countryCode !== null && { country_code: countryCode }),
    first_seen_at: instantText(firstSeenAt),
    last_seen_at: instantText(lastSeenAt),
  }));
  return { shown: { addresses: listed } };
}

async function describeDevice(context: ToolContext, deviceId: string): Promise<z.input<typeof Device>> {
  const device = await readDevice(context, key(context, deviceId));
  const from = new Date(context.now.getTime() - COUNTED_DAYS * DAY_MS);
  const range = { from, to: new Date(context.now.getTime() + DAY_MS), starts: [from] };
  const [{ total }, visits, accounts, addresses] = await Promise.all([
    countReports(context, { ...key(context, deviceId), ...range }),
    readDeviceVisits(context, key(context, deviceId)),
    describeAccounts(context, deviceId),
    describeAddresses(context, deviceId),
  ]);
  const statuses = new Map(visits.map(({ imprint, status }) => [imprint, status]));
  const notShown = [accounts, addresses].flatMap(({ notShown: why }) => why ?? []);
  return {
    device: deviceId,
    first_seen_at: instantText(device.firstSeenAt),
    last_seen_at: instantText(device.lastSeenAt),
    visits: device.visits,
    by_status: total,
    browser: device.browserFamily,
    operating_system: device.systemFamily,
    tokens: device.tokens,
    newest_visits: device.links.slice(0, MAX_VISITS).map(({ imprint, at, identity }) => {
      const decided = identity && decidedRecognition(identity);
      return {
        imprint,
        at: instantText(at),
        status: statuses.get(imprint),
        recognised_by: decided?.by,
        confidence: decided?.confidence === undefined ? undefined : Math.floor(decided.confidence * 100) / 100,
      };
    }),
    address_count: device.addresses,
    ...accounts.shown,
    ...addresses.shown,
    ...(notShown.length > 0 && { not_shown: notShown }),
  };
}

export const getDevice = defineTool({
  name: "svc_get_device",
  title: "Get a device",
  description: `One device, by dev_… from another answer: when it was first and last seen, its visits by status, the newest ones with how they were recognised, the accounts it was used with (scope svc.report.pro) and its addresses. At most ${MAX_LISTED} accounts and addresses, newest first; use svc_find_visits for more. Uses no report unit.`,
  input: z.strictObject({ device: DeviceId }),
  output: Device,
  isFor: mayReadReports,
  scopeOf: () => "svc.report.lite",
  run: async (context, { device }) => JSON.stringify(await describeDevice(context, device)),
});
