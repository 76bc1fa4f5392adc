import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { uuidToId } from "@/lib/contract/ids";
import { authorize } from "@/lib/tenancy/workspaces";
import { identifyAccount } from "./identify-account";
import { findLabels, listAccountDevices, listAccountVisits, type VisitPosition } from "@/lib/visits/visit-store";

const PAGE = 2_000;
/** Maximum number of visits in an export that is held in memory; beyond that it is marked as truncated. */
const MAX_VISITS = 100_000;

type Input = { workspaceId: string; accountRef: string };
type AccountVisit = { imprint: string; device_id: string; recorded_at: string };

/**
 * Exports everything stored about an account: the devices on which it appeared and the visits linked to it. Visits come
 * in pages, oldest first. Data about a device is exported with the device.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_account_ref`
 */
export async function exportAccount(context: Context, { workspaceId, accountRef }: Input) {
  await authorize(context, workspaceId, "data.export");
  const { db } = context;
  const account = await identifyAccount(db, workspaceId, accountRef);
  const hash = Buffer.from(account.hash).toString("hex");
  const readPage = (after: VisitPosition | undefined) => listAccountVisits(db, account, { after, limit: PAGE });
  const [devices, first, [labelled]] = await Promise.all([
    listAccountDevices(db, account),
    readPage(undefined),
    findLabels(db, [{ workspaceId, kind: "account", id: uuidToId("account", hash) }]),
  ]);
  await recordAudit(db, context, { workspaceId, action: "export.create", target: "account" });
  async function* visits(): AsyncGenerator<AccountVisit[], void> {
    for (let rows = first; rows.length > 0; rows = rows.length < PAGE ? [] : await readPage(rows.at(-1)))
      yield rows.map(({ event_id, device_id, recorded }) => ({
        imprint: uuidToId("imprint", event_id),
        device_id: uuidToId("device", device_id),
        recorded_at: recorded,
      }));
  }
  return {
    account: {
      /** False if nothing is stored, for example because the reference has a typo. */
      known: devices.length > 0 || first.length > 0 || labelled !== undefined,
      account_hash: hash,
      label: labelled?.label ?? null,
      devices: devices.map(({ device_id, first_recorded }) => ({
        device_id: uuidToId("device", device_id),
        first_seen_at: first_recorded,
      })),
    },
    visits: visits(),
  };
}

/** The same in one object, for callers that cannot take pages. */
export async function exportAccountAtOnce(context: Context, input: Input) {
  const { account, visits } = await exportAccount(context, input);
  const taken: AccountVisit[] = [];
  for await (const page of visits) {
    taken.push(...page);
    if (taken.length > MAX_VISITS) break;
  }
  return { ...account, visits: taken.slice(0, MAX_VISITS), truncated: taken.length > MAX_VISITS };
}
