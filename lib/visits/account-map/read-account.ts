import type { Context } from "@/lib/platform/context";
import type { AccountMap } from "@/lib/contract/report";
import { AppError } from "@/lib/contract/errors";
import { idPattern, uuidToId } from "@/lib/contract/ids";
import { authorize, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { identifyAccount } from "./identify-account";
import {
  findLink,
  hasAccount,
  listAccountsOnDevice,
  listDevicesOfAccount,
  MAX_COUNTED,
  sumAccount,
} from "@/lib/visits/visit-store";
import { readAccountMap } from "./read-account-map";

const MAX_DEVICES = 200;
const MAX_ACCOUNTS = 50;

/**
 * Checks that people of the workspace may look at accounts at all.
 *
 * @throws AppError not_found, forbidden, account_map_not_allowed
 */
export async function authorizeAccounts(context: Context, workspaceId: string) {
  const access = await authorize(context, workspaceId, "report.read");
  if (!PLAN_LIMITS[access.plan].hasAccountMap) throw new AppError("account_map_not_allowed");
  return access;
}

/**
 * The account behind a reference, when the workspace has seen it. The reference itself is stored nowhere.
 *
 * @throws AppError not_found, forbidden, account_map_not_allowed, invalid_account_ref
 */
export async function findAccount(
  context: Context,
  input: { workspaceId: string; accountRef: string },
): Promise<string | undefined> {
  await authorizeAccounts(context, input.workspaceId);
  const { hash } = await identifyAccount(context.db, input.workspaceId, input.accountRef);
  const accountId = uuidToId("account", Buffer.from(hash).toString("hex"));
  return (await hasAccount(context.db, input.workspaceId, accountId)) ? accountId : undefined;
}

/**
 * What is known of one account, for people.
 *
 * @throws AppError not_found, forbidden, account_map_not_allowed
 */
export async function readAccount(context: Context, input: { workspaceId: string; accountId: string }) {
  const { workspaceId, accountId } = input;
  await authorizeAccounts(context, workspaceId);
  const found = idPattern("account").test(accountId) ? await sumAccount(context.db, workspaceId, accountId) : undefined;
  if (!found) throw new AppError("not_found", { message: "There is no such account" });
  const { lastMs, ...account } = found;
  return {
    accountId,
    ...account,
    /** More than this many visits are not counted. */
    visitsBound: MAX_COUNTED,
    lastSeenAt: lastMs === null ? account.firstSeenAt : new Date(Number(lastMs)),
    newestDevices: await listDevicesOfAccount(context.db, workspaceId, accountId, MAX_DEVICES),
  };
}

/**
 * The accounts that a device was used with, the latest first.
 *
 * @throws AppError not_found, forbidden, account_map_not_allowed
 */
export async function listDeviceAccounts(context: Context, input: { workspaceId: string; deviceId: string }) {
  await authorizeAccounts(context, input.workspaceId);
  if (!idPattern("device").test(input.deviceId)) throw new AppError("not_found");
  return await listAccountsOnDevice(context.db, input.workspaceId, input.deviceId, MAX_ACCOUNTS);
}

/** The account of a visit and its Account Map as it stands now. */
export type VisitAccount = { accountId: string; map: AccountMap };

/**
 * The account that a visit was linked to; nothing when its Report was read without one.
 *
 * @throws AppError not_found, forbidden, account_map_not_allowed
 */
export async function readVisitAccount(
  context: Context,
  input: { workspaceId: string; imprint: string },
): Promise<VisitAccount | undefined> {
  await authorizeAccounts(context, input.workspaceId);
  if (!idPattern("imprint").test(input.imprint)) return undefined;
  const link = await findLink(context.db, input.workspaceId, input.imprint);
  const map = link && (await readAccountMap(context.db, link.account, input.imprint));
  return map && { accountId: link.accountId, map };
}
