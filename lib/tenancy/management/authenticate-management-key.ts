import type { Db } from "@/db/client";
import type { ManagementScope } from "@/lib/contract/manage";
import { log } from "@/lib/platform/log";
import { refuseBearer } from "@/lib/platform/refuse-bearer";
import { presentedManagementHashes } from "@/lib/tenancy/api-keys";
import { findUsableManagementKey, touchManagementKey } from "./queries";

export type ManagementPrincipal = { workspaceId: string; keyId: string; scopes: readonly ManagementScope[] };

/** Source: RFC 6750, section 2.1. */
const BEARER = /^Bearer ([A-Za-z0-9_]+)$/i;

/**
 * The principal of the `Authorization` header. Malformed, unknown, expired and revoked keys and all other kinds of keys get
 * the same refusal; malformed ones are refused without a query.
 *
 * @throws AppError `auth_failed`
 */
export async function authenticateManagementKey(db: Db, authorization: string): Promise<ManagementPrincipal> {
  const presented = BEARER.exec(authorization)?.[1] ?? "";
  for (const keyHash of presentedManagementHashes(presented)) {
    const found = await findUsableManagementKey(db, keyHash);
    if (!found) continue;
    const { isUseStale, ...principal } = found;
    if (isUseStale)
      touchManagementKey(db, principal.workspaceId, principal.keyId).catch((error: unknown) => {
        log.warn({ err: error, keyId: principal.keyId }, "the use of a management key was not recorded");
      });
    return principal;
  }
  throw refuseBearer(authorization);
}
