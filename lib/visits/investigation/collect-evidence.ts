import { parseAddressRange } from "@/lib/platform/addresses";
import type { Context } from "@/lib/platform/context";
import type { ItemKind } from "@/lib/tenancy/cases";
import { type Access, PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { listAccountsOfDevices, listVisitsOf, readEvidence, type VisitOfWhat } from "@/lib/visits/visit-store";
import { createGroups, type Evidence, type EvidenceVisit } from "./domain/evidence";

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

/** Imprints of the items' newest visits, oldest first, and whether there are more. */
async function findImprints({ db }: Context, workspaceId: string, items: readonly Item[], { ofOne, ofAll }: Bounds) {
  const times = new Map<string, number>();
  let isCut = false;
  for (const item of items) {
    const of = visitsOf(item);
    const found = of ? await listVisitsOf(db, workspaceId, of, ofOne + 1) : [];
    isCut ||= found.length > ofOne;
    for (const { imprint, recordedAt } of found.slice(0, ofOne)) times.set(imprint, recordedAt.getTime());
  }
  const oldest = [...times].sort(([, one], [, other]) => one - other).map(([imprint]) => imprint);
  return { imprints: oldest.slice(-ofAll), isCut: isCut || oldest.length > ofAll };
}

/** Hides the parts of a visit that the actor may not see. */
const visibleTo =
  (access: Access) =>
  (visit: EvidenceVisit): EvidenceVisit => ({
    ...visit,
    ...(access.canSeeAddresses ? {} : { address: undefined, countryCode: undefined, asn: undefined }),
    ...(PLAN_LIMITS[access.plan].hasAccountMap ? {} : { accountId: undefined }),
  });

/** Visits in pages, oldest first, without the parts that the actor may not see. */
async function* readPages({ db }: Context, access: Access, imprints: readonly string[]) {
  for (let from = 0; from < imprints.length; from += VISITS_AT_ONCE) {
    const visits = await readEvidence(db, access.workspaceId, imprints.slice(from, from + VISITS_AT_ONCE));
    visits.sort((one, other) => one.recordedAt.getTime() - other.recordedAt.getTime());
    yield { visits: visits.map(visibleTo(access)), read: Math.min(from + VISITS_AT_ONCE, imprints.length) };
  }
}

/** Called as visits are read, of `total` in all: to collect what they involve, then to write them. */
export type OnVisits = (done: { step: "collect" | "write"; visits: number; total: number }) => void;

/** What the visits of a case or an item involve; the visits themselves are read again when they are written. */
export type Collected = Evidence & { readVisits: () => AsyncGenerator<EvidenceVisit[], void> };

/** Accounts that are known of devices among the items, although no visit may show them any more. */
async function knownAccounts({ db }: Context, { workspaceId, plan }: Access, items: readonly Item[]) {
  if (!PLAN_LIMITS[plan].hasAccountMap) return undefined;
  const deviceIds = items.flatMap(({ kind, value }) => (kind === "device" ? [value] : []));
  const linked = await listAccountsOfDevices(db, workspaceId, deviceIds, MAX_ACCOUNTS);
  return linked.map(({ accountId, ...rest }) => ({ value: accountId, ...rest }));
}

/** Groups visits by their accounts, devices and addresses, as far as the actor may see them. */
async function createEvidence(context: Context, access: Access, items: readonly Item[]) {
  const known = await knownAccounts(context, access, items);
  const accounts = createGroups(({ accountId }) => accountId, known);
  const devices = createGroups(({ deviceId }) => deviceId);
  const addresses = createGroups(({ address }) => address);
  return {
    add(visits: readonly EvidenceVisit[]) {
      for (const visit of visits) for (const groups of [accounts, devices, addresses]) groups.add(visit);
    },
    list: () => ({
      accounts: known && accounts.list(),
      devices: devices.list(),
      addresses: access.canSeeAddresses ? addresses.list() : undefined,
    }),
  };
}

/**
 * Collects the evidence of items: all accounts, devices and addresses of their visits. The visits, with the hashes of
 * their Reports, are not held. The caller must leave out items that the actor may not see.
 */
export async function collectEvidence(
  context: Context,
  access: Access,
  items: readonly Item[],
  onVisits: OnVisits = () => undefined,
): Promise<Collected> {
  const { imprints, isCut } = await findImprints(context, access.workspaceId, items, EXPORTED);
  const total = imprints.length;
  async function* read(step: "collect" | "write") {
    for await (const { visits, read } of readPages(context, access, imprints)) {
      yield visits;
      onVisits({ step, visits: read, total });
    }
  }
  const evidence = await createEvidence(context, access, items);
  let count = 0;
  for await (const visits of read("collect")) {
    evidence.add(visits);
    count += visits.length;
  }
  return { visits: count, isCut, ...evidence.list(), readVisits: () => read("write") };
}

/** The evidence of the newest visits, which are few enough to be held. */
export async function collectNewest(context: Context, access: Access, items: readonly Item[], most: number) {
  const { imprints, isCut } = await findImprints(context, access.workspaceId, items, { ofOne: most, ofAll: most });
  const evidence = await createEvidence(context, access, items);
  const visits: EvidenceVisit[] = [];
  for await (const page of readPages(context, access, imprints)) visits.push(...page.visits);
  evidence.add(visits);
  return { visits, isCut, ...evidence.list() };
}
