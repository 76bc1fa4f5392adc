import { type Context, onReader } from "@/lib/platform/context";
import { authorizeAccounts } from "@/lib/visits/account-map";
import { AppError } from "@/lib/contract/errors";
import { idPattern } from "@/lib/contract/ids";
import { parseAddressRange } from "@/lib/platform/addresses";
import { type Access, authorize } from "@/lib/tenancy/workspaces";
import { choiceOf, type ReportFilter } from "./domain/report-filter";
import { listDevicesAt, listEventsOfRules, type PreparedFilter } from "@/lib/visits/visit-store";

/** More devices in a range than this are not named one by one: so many visits are found by their time just as well. */
const MAX_NAMED_DEVICES = 2_000;

/** More visits in which a rule fired than this are found by their time just as well. */
const MAX_NAMED_EVENTS = 1_000;

const notUnderstood = (what: string) => new AppError("invalid_request", { message: what });

/** Who may not see addresses and places may not ask for them either: the answer would tell. */
function refusePlaces(access: Access, { address, country, asn }: ReportFilter): void {
  if (access.canSeeAddresses || [address, country, asn].every((place) => place === undefined)) return;
  throw new AppError("forbidden", { message: "Your role does not include seeing addresses and places" });
}

/**
 * Checks that the actor may ask for these visits, and looks up the addresses and rules of the filter.
 *
 * @throws AppError not_found, forbidden, account_map_not_allowed, invalid_request
 */
export async function prepareFilter(
  context: Context,
  filter: ReportFilter,
): Promise<{ access: Access; filter: PreparedFilter }> {
  const { workspaceId, address, accountId, deviceId, webAppId } = filter;
  const access = await authorize(context, workspaceId, "report.read");
  refusePlaces(access, filter);
  if (accountId !== undefined) await authorizeAccounts(context, workspaceId);
  if (accountId !== undefined && !idPattern("account").test(accountId))
    throw notUnderstood("An account is acc_ and 32 digits");
  if (deviceId !== undefined && !idPattern("device").test(deviceId))
    throw notUnderstood("A device is dev_ and 32 digits");
  if (choiceOf(webAppId)?.values.some((value) => !idPattern("webApp").test(value)))
    throw notUnderstood("A Web App is app_ and 32 digits");
  const { db } = onReader(context);
  const rule = choiceOf(filter.rule);
  const eventsOfRules =
    rule && !rule.isExcluded ? await listEventsOfRules(db, rule.values, filter, MAX_NAMED_EVENTS) : undefined;
  if (address === undefined) return { access, filter: { ...filter, eventsOfRules } };
  const range = parseAddressRange(address);
  if (range === undefined)
    throw notUnderstood("An address is written as 203.0.113.7 or 2001:db8::1, a range as 203.0.113.0/24");
  const devicesInRange = await listDevicesAt(db, workspaceId, range, MAX_NAMED_DEVICES);
  return { access, filter: { ...filter, eventsOfRules, range, devicesInRange } };
}
