import { identifyAccount, linkAccount, previewAccountMap, readAccountMap } from "@/lib/visits/account-map";
import type { Db } from "@/db/client";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { meterTrialDelivery, useReportRequest } from "@/lib/trials";
import { type CallFindings, countedCall, type Delivery, findDelivery, meterDelivery } from "@/lib/metering";
import { PLAN_LIMITS, type Plan } from "@/lib/tenancy/workspaces";
import { deliveryHeaders } from "./domain/delivery-headers";
import { withAccountMap } from "./domain/with-account-map";
import { type Account, findReport, linkTogether, type StoredReport } from "@/lib/visits/visit-store";

/** The recipient: an API key, or a person's client that reads on behalf of a workspace. */
type Recipient = {
  workspaceId: string;
  keyId?: string;
  plan: Plan;
  /** The Report, if it was read together with the key. */
  read?: { found: StoredReport | undefined };
};

/** The requested Report. */
type Asked = {
  imprint: string;
  accountRef?: string | undefined;
  /** Identifies the acceptance under which a first delivery may be repeated; see `hashAcceptance`. */
  acceptanceHash?: Buffer | undefined;
};

/** A Report's JSON text and its response headers. */
type DeliveredReport = { report: string; headers: Record<string, string> };

async function accountOf(db: Db, { workspaceId, plan }: Recipient, accountRef: string | undefined) {
  // A template with a missing value sends an empty header.
  if (accountRef === undefined || accountRef === "") return undefined;
  const account = await identifyAccount(db, workspaceId, accountRef);
  if (!PLAN_LIMITS[plan].hasAccountMap) throw new AppError("account_map_not_allowed");
  return account;
}

/** Whether the delivery that a concurrent read recorded first was made under the same acceptance. */
const isAcceptedMeanwhile = async (db: Db, delivery: Delivery): Promise<boolean> =>
  delivery.acceptanceHash !== undefined && (await findDelivery(db, delivery))?.isAccepted === true;

/** Uses the unit of a first delivery. The account link is stored in the same statement, or neither is. */
async function deliver(
  db: Db,
  { workspaceId, keyId, plan, read }: Recipient,
  { imprint, acceptanceHash }: Asked,
  account: Account | undefined,
  findings: CallFindings,
): Promise<DeliveredReport> {
  const found = read ? read.found : await findReport(db, workspaceId, imprint, acceptanceHash);
  if (!found) throw new AppError("report_not_found");
  const { report, facts, webAppId, isAccepted } = found;
  findings.webAppId = webAppId;
  const delivery = { workspaceId, imprint, webAppId, keyId, acceptanceHash };
  const link = account && linkTogether(account, imprint);
  const meter = () =>
    plan === "trial" ? meterTrialDelivery(db, delivery) : meterDelivery(db, delivery, PLAN_LIMITS[plan], link);
  const outcome = isAccepted === undefined ? await meter() : "repeated";
  if (account && outcome === "partsRejected") {
    // Another link was stored first: of this account, so a retry finds it, or of another account, which is refused.
    await readAccountMap(db, account, imprint);
    return deliver(db, { workspaceId, ...(keyId && { keyId }), plan }, { imprint, acceptanceHash }, account, findings);
  }
  findings.outcome = outcome === "delivered" ? "delivered" : "reread";
  const isFirst = outcome === "delivered" || (isAccepted ?? (await isAcceptedMeanwhile(db, delivery)));
  return { report, headers: deliveryHeaders(facts, isFirst ? "first" : "repeat") };
}

/** The current Account Map. Links the account first if this is its first read of the Report. */
async function mapAccount(db: Db, account: Account, imprint: string) {
  for (;;) {
    const accountMap = await readAccountMap(db, account, imprint);
    if (accountMap) return accountMap;
    await linkAccount(db, account, imprint);
  }
}

type Work = (db: Db, account: Account | undefined, findings: CallFindings) => Promise<DeliveredReport>;

/** Counts the call and, for trials, uses a report request. Every read of a Report goes through this. */
function countedRead(db: Db, recipient: Recipient, accountRef: string | undefined, work: Work) {
  const { workspaceId, keyId, plan } = recipient;
  return countedCall({ workspaceId, keyId, operation: "readReport" }, async (findings) => {
    if (plan === "trial") await useReportRequest(db, workspaceId);
    return work(db, await accountOf(db, recipient, accountRef), findings);
  });
}

type Deliver = (context: Pick<Context, "db">, recipient: Recipient, asked: Asked) => Promise<DeliveredReport>;

/**
 * Delivers the Report of an imprint, as the JSON text stored with the visit. The first delivery uses one report unit;
 * no other outcome uses any. With an account reference, the account is linked to the visit and the text includes the
 * current `account_map`. Safe to repeat after a lost answer.
 *
 * @throws AppError `report_not_found`, `quota_exhausted`, `invalid_account_ref`, `account_map_not_allowed`,
 *   `account_ref_conflict`; for trials also `request_limit_reached`, `grant_expired`, `grant_revoked`
 */
export const deliverReport: Deliver = (context, recipient, asked) =>
  countedRead(context.db, recipient, asked.accountRef, async (db, account, findings) => {
    const delivered = await deliver(db, recipient, asked, account, findings);
    if (!account) return delivered;
    return { ...delivered, report: withAccountMap(delivered.report, await mapAccount(db, account, asked.imprint)) };
  });

/**
 * Like `deliverReport`, for callers that ask about an account without vouching for it: `account_map` is what it would
 * be if the account were linked to the visit, but nothing is linked.
 *
 * @throws AppError as `deliverReport` does
 */
export const deliverReportUnbound: Deliver = (context, recipient, asked) =>
  countedRead(context.db, recipient, asked.accountRef, async (db, account, findings) => {
    const accountMap = account && (await previewAccountMap(db, account, asked.imprint));
    const delivered = await deliver(db, recipient, asked, undefined, findings);
    return accountMap ? { ...delivered, report: withAccountMap(delivered.report, accountMap) } : delivered;
  });
