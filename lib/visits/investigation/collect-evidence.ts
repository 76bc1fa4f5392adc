import { parseAddressRange } from "@/lib/platform/addresses";
import type { Context } from "@/lib/platform/context";
import type { ItemKind } from "@/lib/tenancy/cases";
import { type Access, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { listAccountsOfDevices, listVisitsOf, readEvidence, type VisitOfWhat } from "@/lib/visits/visit-store";
import { type Evidence, type EvidenceVisit, groupVisits } from "./domain/evidence";

/** Maximum number of visits read per item and in total; the newest if there are more. */
type Bounds = { ofOne: number; ofAll: number };
const EXPORTED: Bounds = { ofOne: 2_000, ofAll: 5_000 };

const VISITS_AT_ONCE = 500;
const MAX_ACCOUNTS = 5_000;

type Item = { kind: ItemKind; value: string };

function visitsOf({ kind, value }: Item): VisitOfWhat | undefined {
  switch (kind) {
    case "visit":
      return { kind, imprint: value };
    case "device":
      return { kind, deviceId: value };
    case "account":
      return { kind, accountId: value };
    case "address": {
      const range = parseAddressRange(value);
      return range && { kind, range };
    }
  }
}

/** Imprints of the items' newest visits, and whether there are more. */
async function findImprints({ db }: Context, workspaceId: string, items: readonly Item[], { ofOne, ofAll }: Bounds) {
  const times = new Map<string, number>();
  let isCut = false;
  for (const item of items) {
    const of = visitsOf(item);
    const found = of ? await listVisitsOf(db, workspaceId, of, ofOne + 1) : [];
    isCut ||= found.length > ofOne;
    for (const { imprint, recordedAt } of found.slice(0, ofOne)) times.set(imprint, recordedAt.getTime());
  }
  const newest = [...times].sort(([, one], [, other]) => other - one).map(([imprint]) => imprint);
  return { imprints: newest.slice(0, ofAll), isCut: isCut || newest.length > ofAll };
}

async function readVisits({ db }: Context, workspaceId: string, imprints: readonly string[]) {
  const visits: EvidenceVisit[] = [];
  for (let from = 0; from < imprints.length; from += VISITS_AT_ONCE)
    visits.push(...(await readEvidence(db, workspaceId, imprints.slice(from, from + VISITS_AT_ONCE))));
  return visits.sort((one, other) => one.recordedAt.getTime() - other.recordedAt.getTime());
}

/** Hides the parts of a visit that the actor may not see. */
const visibleTo =
  (access: Access) =>
  (visit: EvidenceVisit): EvidenceVisit => ({
    ...visit,
    ...(access.canSeeAddresses ? {} : { address: undefined, countryCode: undefined, asn: undefined }),
    ...(PLAN_LIMITS[access.plan].hasAccountMap ? {} : { accountId: undefined }),
  });

/**
 * Collects the evidence of items: their visits with the hashes of their Reports, and all accounts, devices and
 * addresses of these visits. The caller must leave out items that the actor may not see.
 */
export async function collectEvidence(
  context: Context,
  access: Access,
  items: readonly Item[],
  bounds: Bounds = EXPORTED,
): Promise<Evidence> {
  const { workspaceId } = access;
  const { imprints, isCut } = await findImprints(context, workspaceId, items, bounds);
  const visits = (await readVisits(context, workspaceId, imprints)).map(visibleTo(access));
  const deviceIds = items.flatMap(({ kind, value }) => (kind === "device" ? [value] : []));
  const hasAccounts = PLAN_LIMITS[access.plan].hasAccountMap;
  const linked = hasAccounts ? await listAccountsOfDevices(context.db, workspaceId, deviceIds, MAX_ACCOUNTS) : [];
  const known = linked.map(({ accountId, ...rest }) => ({ value: accountId, ...rest }));
  return {
    visits,
    isCut,
    accounts: hasAccounts ? groupVisits(visits, ({ accountId }) => accountId, known) : undefined,
    devices: groupVisits(visits, ({ deviceId }) => deviceId),
    addresses: access.canSeeAddresses ? groupVisits(visits, ({ address }) => address) : undefined,
  };
}
