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

/** Who is served: a key, or a person's client that reads on behalf of a workspace. */
type Recipient = {
  workspaceId: string;
  keyId?: string;
  plan: Plan;
  /** The Report as it was read together with the key. */
  read?: { found: StoredReport | undefined };
};

/** What is asked for. */
type Asked = {
  imprint: string;
  accountRef?: string | undefined;
  /** Under which a first delivery may be repeated: see `hashAcceptance`. */
  acceptanceHash?: Buffer | undefined;
};

/** A Report as its JSON text, and the headers that go with it. */
type DeliveredReport = { report: string; headers: Record<string, string> };

async function accountOf(db: Db, { workspaceId, plan }: Recipient, accountRef: string | undefined) {
  // A template whose value is missing sends an empty header.
  if (accountRef === undefined || accountRef === "") return undefined;
  const account = await identifyAccount(db, workspaceId, accountRef);
  if (!PLAN_LIMITS[plan].hasAccountMap) throw new AppError("account_map_not_allowed");
  return account;
}

/** Of a delivery that another read came before, after it was read that there was none: whether that read was this one. */
const isAcceptedMeanwhile = async (db: Db, delivery: Delivery): Promise<boolean> =>
  delivery.acceptanceHash !== undefined && (await findDelivery(db, delivery))?.isAccepted === true;

/** Uses the unit of a first delivery; the link of an account is there with it, or neither is. */
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
  if (account && outcome === "notTogether") {
    // Another link came first: of this account, and then it is there by now, or of another one, which is refused.
    await readAccountMap(db, account, imprint);
    return deliver(db, { workspaceId, ...(keyId && { keyId }), plan }, { imprint, acceptanceHash }, account, findings);
  }
  findings.outcome = outcome === "delivered" ? "delivered" : "reread";
  const isFirst = outcome === "delivered" || (isAccepted ?? (await isAcceptedMeanwhile(db, delivery)));
  return { report, headers: deliveryHeaders(facts, isFirst ? "first" : "repeat") };
}

/** The map as it stands now; binds the account first where a Report is read with one for the first time. */
async function mapAccount(db: Db, account: Account, imprint: string) {
  for (;;) {
    const accountMap = await readAccountMap(db, account, imprint);
    if (accountMap) return accountMap;
    await linkAccount(db, account, imprint);
  }
}

type Work = (db: Db, account: Account | undefined, findings: CallFindings) => Promise<DeliveredReport>;

/** What every reading of a Report is preceded by, and counted as. */
function countedRead(db: Db, recipient: Recipient, accountRef: string | undefined, work: Work) {
  const { workspaceId, keyId, plan } = recipient;
  return countedCall({ workspaceId, keyId, operation: "readReport" }, async (findings) => {
    if (plan === "trial") await useReportRequest(db, workspaceId);
    return work(db, await accountOf(db, recipient, accountRef), findings);
  });
}

type Deliver = (context: Pick<Context, "db">, recipient: Recipient, asked: Asked) => Promise<DeliveredReport>;

/**
 * The canonical Report of an imprint, as the JSON text that was stored with the visit. Its first delivery uses one
 * report unit; every other outcome uses none. With an account reference the account is bound to the visit and the text
 * has its `account_map` as it stands now. Safe to repeat after a lost answer.
 *
 * @throws AppError report_not_found, quota_exhausted, invalid_account_ref, account_map_not_allowed,
 *   account_ref_conflict; to a trial also request_limit_reached, grant_expired, grant_revoked
 */
export const deliverReport: Deliver = (context, recipient, asked) =>
  countedRead(context.db, recipient, asked.accountRef, async (db, account, findings) => {
    const delivered = await deliver(db, recipient, asked, account, findings);
    if (!account) return delivered;
    return { ...delivered, report: withAccountMap(delivered.report, await mapAccount(db, account, asked.imprint)) };
  });

/**
 * The same for who asks about an account and does not vouch for it: `account_map` is what it would be with the account
 * bound to the visit, and nothing is bound.
 *
 * @throws AppError as `deliverReport` does
 */
export const deliverReportUnbound: Deliver = (context, recipient, asked) =>
  countedRead(context.db, recipient, asked.accountRef, async (db, account, findings) => {
    const accountMap = account && (await previewAccountMap(db, account, asked.imprint));
    const delivered = await deliver(db, recipient, asked, undefined, findings);
    return accountMap ? { ...delivered, report: withAccountMap(delivered.report, accountMap) } : delivered;
  });
