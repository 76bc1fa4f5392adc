import type { Context } from "@/lib/platform/context";
import type { AccountMap } from "@/lib/contract/report";
import { AppError } from "@/lib/contract/errors";
import { idPattern, uuidToId } from "@/lib/contract/ids";
import { decodeCursor, pageOf, type Position } from "@/lib/platform/cursor";
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

/**
 * Parses the cursor of a list of accounts or devices.
 *
 * @throws AppError `invalid_request`
 */
function positionOf(cursor: string | undefined): Position | undefined {
  const position = cursor === undefined ? undefined : decodeCursor("imprint", cursor);
  if (cursor !== undefined && !position)
    throw new AppError("invalid_request", { message: "cursor: not one of this list" });
  return position;
}

function newestOf<Row extends { firstAt: string; firstImprint: string }>(rows: readonly Row[]) {
  const { shown, nextCursor } = pageOf(rows, PAGE, ({ firstAt, firstImprint }) => ({ at: firstAt, id: firstImprint }));
  return { shown, older: nextCursor ?? null };
}

/**
 * Checks that the actor may read reports and that the plan has Account Map.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`
 */
export async function authorizeAccounts(context: Context, workspaceId: string) {
  const access = await authorize(context, workspaceId, "report.read");
  if (!PLAN_LIMITS[access.plan].hasAccountMap) throw new AppError("account_map_not_allowed");
  return access;
}

/**
 * Finds the account of a reference, if the workspace has seen it. The reference itself is never stored.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_account_ref`
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
 * Reads what is known about an account, for people, with a page of its devices.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`
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
  const { shown, older } = newestOf(await listDevicesOfAccount(context.db, workspaceId, accountId, page));
  return {
    accountId,
    ...account,
    /** Visits are counted up to this number. */
    visitsBound: MAX_COUNTED,
    lastSeenAt: lastMs === null ? account.firstSeenAt : new Date(Number(lastMs)),
    newestDevices: shown,
    olderDevices: older,
  };
}

/**
 * Lists the accounts that a device was used with, latest first, in pages.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`
 */
export async function listDeviceAccounts(
  context: Context,
  input: { workspaceId: string; deviceId: string; before?: string | undefined },
) {
  await authorizeAccounts(context, input.workspaceId);
  if (!idPattern("device").test(input.deviceId)) throw new AppError("not_found");
  const page = { before: positionOf(input.before), limit: PAGE + 1 };
  const { shown, older } = newestOf(await listAccountsOnDevice(context.db, input.workspaceId, input.deviceId, page));
  return { accounts: shown, older };
}

/** The account of a visit and its current Account Map. */
export type VisitAccount = { accountId: string; map: AccountMap };

/**
 * Reads the account that a visit is linked to. Undefined if its Report was never read with an account.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`
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
