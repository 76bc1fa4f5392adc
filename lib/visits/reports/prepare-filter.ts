import { type Context, onReader } from "@/lib/platform/context";
import { authorizeAccounts } from "@/lib/visits/account-map";
import { AppError } from "@/lib/contract/errors";
import { idPattern } from "@/lib/contract/ids";
import { parseAddressRange } from "@/lib/platform/addresses";
import { type Access, authorize, requireAddresses } from "@/lib/tenancy/workspaces";
import { choiceOf, type ReportFilter } from "./domain/report-filter";
import { listDevicesAt, listEventsOfRules, type PreparedFilter } from "@/lib/visits/visit-store";

/** With more devices in a range, searching visits by time is just as fast as by device. */
const MAX_NAMED_DEVICES = 2_000;

/** With more visits in which a rule fired, searching by time is just as fast. */
const MAX_NAMED_EVENTS = 1_000;

const notUnderstood = (what: string) => new AppError("invalid_request", { message: what });

/**
 * Checks that the actor may read these visits, and resolves the filter's addresses and rules.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`
 */
export async function prepareFilter(
  context: Context,
  filter: ReportFilter,
): Promise<{ access: Access; filter: PreparedFilter }> {
  const { workspaceId, address, country, asn, accountId, deviceId, webAppId } = filter;
  const access = await authorize(context, workspaceId, "report.read");
  // The results would reveal places to members who may not see them.
  if ([address, country, asn].some((place) => place !== undefined)) requireAddresses(access);
  if (accountId !== undefined) await authorizeAccounts(context, workspaceId);
  if (accountId !== undefined && !idPattern("account").test(accountId))
    throw notUnderstood("Expected an account: acc_ and 32 hex digits");
  if (deviceId !== undefined && !idPattern("device").test(deviceId))
    throw notUnderstood("Expected a device: dev_ and 32 hex digits");
  if (choiceOf(webAppId)?.values.some((value) => !idPattern("webApp").test(value)))
    throw notUnderstood("Expected a Web App: app_ and 32 hex digits");
  const { db } = onReader(context);
  const rule = choiceOf(filter.rule);
  const eventsOfRules =
    rule && !rule.isExcluded ? await listEventsOfRules(db, rule.values, filter, MAX_NAMED_EVENTS) : undefined;
  if (address === undefined) return { access, filter: { ...filter, eventsOfRules } };
  const range = parseAddressRange(address);
  if (range === undefined)
    throw notUnderstood("Expected an address such as 203.0.113.7 or 2001:db8::1, or a range such as 203.0.113.0/24");
  const devicesInRange = await listDevicesAt(db, workspaceId, range, MAX_NAMED_DEVICES);
  return { access, filter: { ...filter, eventsOfRules, range, devicesInRange } };
}
