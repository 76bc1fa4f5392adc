import { findAccount, readAccount } from "@/lib/visits/account-map";
import type { Context } from "@/lib/platform/context";
import { readDevices } from "@/lib/visits/devices";
import { type ErrorCode, isAppError } from "@/lib/contract/errors";
import { idPattern } from "@/lib/contract/ids";
import { parseAddressRange } from "@/lib/platform/addresses";
import { authorize } from "@/lib/tenancy/workspaces";
import { findVisit } from "@/lib/visits/visit-store";

/** What a text refers to, or why nothing was found. */
export type Subject =
  | { kind: "imprint" | "device" | "account"; id: string }
  | { kind: "address"; range: string }
  | { kind: "network"; asn: number }
  /** A prefix of an imprint or device id. */
  | { kind: "beginning"; text: string }
  | { kind: "nothing"; why: "imprint" | "device" | "account" | "restricted" | "plan" | "reference" };

const MAX_CHARACTERS = 200;

/** Parses a 32-bit AS number with its prefix, as in RFC 5396. */
function parseAsn(text: string): number | undefined {
  const asn = Number(/^AS(\d{1,10})$/.exec(text)?.[1]);
  return asn <= 0xff_ff_ff_ff ? asn : undefined;
}

const WHY: Partial<Record<ErrorCode, "plan" | "reference">> = {
  account_map_not_allowed: "plan",
  invalid_account_ref: "reference",
};

async function findByAccount(work: () => Promise<string | undefined>): Promise<Subject> {
  try {
    const id = await work();
    return id === undefined ? { kind: "nothing", why: "account" } : { kind: "account", id };
  } catch (error) {
    const why = isAppError(error) ? WHY[error.code] : undefined;
    if (why !== undefined) return { kind: "nothing", why };
    if (isAppError(error) && error.code === "not_found") return { kind: "nothing", why: "account" };
    throw error;
  }
}

async function findById(context: Context, workspaceId: string, id: string): Promise<Subject> {
  if (idPattern("imprint").test(id)) {
    const visit = await findVisit(context.db, workspaceId, id);
    return visit ? { kind: "imprint", id } : { kind: "nothing", why: "imprint" };
  }
  if (idPattern("device").test(id)) {
    const [device] = await readDevices(context, { workspaceId, deviceIds: [id] });
    return device ? { kind: "device", id } : { kind: "nothing", why: "device" };
  }
  return { kind: "beginning", text: id };
}

/**
 * Resolves a typed or pasted text: an imprint, a device, an address or range, a network by AS number, or an account by
 * its reference. The text is not stored.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function findSubject(context: Context, input: { workspaceId: string; text: string }): Promise<Subject> {
  const { workspaceId } = input;
  const text = input.text.trim();
  const access = await authorize(context, workspaceId, "report.read");
  if (text === "" || text.length > MAX_CHARACTERS) return { kind: "nothing", why: "reference" };
  const id = text.toLowerCase();
  if (/^(imp|dev)_[0-9a-f]{1,32}$/.test(id)) return findById(context, workspaceId, id);
  if (idPattern("account").test(id))
    return findByAccount(async () => (await readAccount(context, { workspaceId, accountId: id })).accountId);
  const [range, asn] = [parseAddressRange(text), parseAsn(text)];
  if ((range || asn !== undefined) && !access.canSeeAddresses) return { kind: "nothing", why: "restricted" };
  if (range) return { kind: "address", range: range.text };
  if (asn !== undefined) return { kind: "network", asn };
  return findByAccount(() => findAccount(context, { workspaceId, accountRef: text }));
}
