import type { Context } from "@/lib/platform/context";
import type { AccountMap } from "@/lib/contract/report";
import { AppError } from "@/lib/contract/errors";
import { idPattern, uuidToId } from "@/lib/contract/ids";
import { decodeCursor, encodeCursor, type Position } from "@/lib/platform/cursor";
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

const PAGE = 25;

/** Where a list of accounts and devices goes on. @throws AppError `invalid_request` */
function positionOf(cursor: string | undefined): Position | undefined {
  const position = cursor === undefined ? undefined : decodeCursor("imprint", cursor);
  if (cursor !== undefined && !position)
    throw new AppError("invalid_request", { message: "cursor: not one of this list" });
  return position;
}

/** The page without the row that tells whether there are more, and where the next one begins. */
function pageOf<Row extends { firstAt: string; firstImprint: string }>(rows: readonly Row[]) {
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  const isMore = rows.length > PAGE && last !== undefined;
  return { shown, older: isMore ? encodeCursor({ at: last.firstAt, id: last.firstImprint }) : null };
}

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
 * What is known of one account, for people, with a page of its devices.
 *
 * @throws AppError not_found, forbidden, account_map_not_allowed, invalid_request
 */
export async function readAccount(
  context: Context,
  input: { workspaceId: string; accountId: string; before?: string | undefined },
) {
  const { workspaceId, accountId } = input;
  await authorizeAccounts(context, workspaceId);
  const found = idPattern("account").test(accountId) ? await sumAccount(context.db, workspaceId, accountId) : undefined;
  if (!found) throw new AppError("not_found", { message: "There is no such account" });
  const { lastMs, ...account } = found;
  const page = { before: positionOf(input.before), limit: PAGE + 1 };
  const { shown, older } = pageOf(await listDevicesOfAccount(context.db, workspaceId, accountId, page));
  return {
    accountId,
    ...account,
    /** More than this many visits are not counted. */
    visitsBound: MAX_COUNTED,
    lastSeenAt: lastMs === null ? account.firstSeenAt : new Date(Number(lastMs)),
    newestDevices: shown,
    olderDevices: older,
  };
}

/**
 * The accounts that a device was used with, the latest first, a page at a time.
 *
 * @throws AppError not_found, forbidden, account_map_not_allowed, invalid_request
 */
export async function listDeviceAccounts(
  context: Context,
  input: { workspaceId: string; deviceId: string; before?: string | undefined },
) {
  await authorizeAccounts(context, input.workspaceId);
  if (!idPattern("device").test(input.deviceId)) throw new AppError("not_found");
  const page = { before: positionOf(input.before), limit: PAGE + 1 };
  const { shown, older } = pageOf(await listAccountsOnDevice(context.db, input.workspaceId, input.deviceId, page));
  return { accounts: shown, older };
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
