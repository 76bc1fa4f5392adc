import { AppError } from "@/lib/contract/errors";
import { idPattern, uuidToId } from "@/lib/contract/ids";
import type { Context } from "@/lib/platform/context";
import { type Access, authorize, PLAN_LIMITS, requireAddresses } from "@/lib/tenancy/workspaces";
import { authorizeAccounts } from "@/lib/visits/account-map";
import { listSharersOf, type SharerRow, sumVisitsOf, type Verdicts, type VisitOfWhat } from "@/lib/visits/visit-store";
import { narrowBySlices } from "@/lib/visits/reports";
import { requireRange } from "./find-items";

/** Number of newest visits counted for a page; if there are more, the page says so. */
const MAX_VISITS = 2_000;
export type Subject =
  | { kind: "device"; deviceId: string }
  | { kind: "account"; accountId: string }
  | { kind: "address"; address: string }
  | { kind: "network"; asn: number; since: Date };

/** The time ranges of a network's newest visits, according to the slices. */
function timesOf({ db, now }: Context, workspaceId: string, { asn, since }: { asn: number; since: Date }) {
  const newest = { before: undefined, after: undefined, limit: MAX_VISITS };
  return narrowBySlices(db, { workspaceId, from: since, to: now, asn }, newest);
}

async function visitsOf(context: Context, access: Access, subject: Subject): Promise<VisitOfWhat> {
  switch (subject.kind) {
    case "device":
      if (!idPattern("device").test(subject.deviceId)) throw new AppError("not_found");
      return subject;
    case "account":
      await authorizeAccounts(context, access.workspaceId);
      if (!idPattern("account").test(subject.accountId)) throw new AppError("not_found");
      return subject;
    case "address":
      return { kind: "address", range: requireRange(access, subject.address) };
    case "network":
      requireAddresses(access);
      return { ...subject, within: await timesOf(context, access.workspaceId, subject) };
  }
}

export type SubjectSummary = {
  visits: number;
  /** Whether there are more visits, which makes all numbers lower bounds. */
  isTruncated: boolean;
  passed: number;
  suspicious: number;
  deceptive: number;
  devices: number;
  /** Undefined for plans without Account Map. */
  accounts: number | undefined;
  /** Undefined if the actor may not see addresses. */
  addresses: number | undefined;
  firstSeenAt: Date | undefined;
  lastSeenAt: Date | undefined;
};

const instant = (milliseconds: string | null) => (milliseconds === null ? undefined : new Date(Number(milliseconds)));

/**
 * Summarises a device, account, address or network over its newest visits: their number, their verdicts, and who shares
 * it.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`
 */
export async function summariseSubject(
  context: Context,
  { workspaceId, ...subject }: Subject & { workspaceId: string },
): Promise<SubjectSummary> {
  const access = await authorize(context, workspaceId, "report.read");
  const of = await visitsOf(context, access, subject);
  const { accounts, addresses, first_ms, last_ms, ...sums } = await sumVisitsOf(
    context.db,
    workspaceId,
    of,
    MAX_VISITS,
  );
  return {
    ...sums,
    isTruncated: sums.visits >= MAX_VISITS,
    accounts: PLAN_LIMITS[access.plan].hasAccountMap ? accounts : undefined,
    addresses: access.canSeeAddresses ? addresses : undefined,
    firstSeenAt: instant(first_ms),
    lastSeenAt: instant(last_ms),
  };
}

/** Maximum number of each kind. */
const SHARERS = 10;

export type Sharer = { kind: SharerRow["kind"]; value: string } & Verdicts;

/**
 * Lists the devices, accounts and addresses with most of a network's newest visits. Without accounts for plans without
 * Account Map.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listSharers(
  context: Context,
  {
    workspaceId,
    most = SHARERS,
    ...subject
  }: Extract<Subject, { kind: "network" }> & { workspaceId: string; most?: number },
): Promise<Sharer[]> {
  const access = await authorize(context, workspaceId, "report.read");
  const of = await visitsOf(context, access, subject);
  const rows = await listSharersOf(context.db, workspaceId, of, { limit: MAX_VISITS, shown: most });
  const { hasAccountMap } = PLAN_LIMITS[access.plan];
  return rows
    .filter(({ kind }) => kind !== "account" || hasAccountMap)
    .map(({ value, ...row }) => ({ ...row, value: row.kind === "address" ? value : uuidToId(row.kind, value) }));
}
