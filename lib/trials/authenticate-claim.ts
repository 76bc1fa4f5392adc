import { timingSafeEqual } from "node:crypto";

import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { refuseBearer } from "@/lib/platform/refuse-bearer";
import { idPattern } from "@/lib/contract/ids";
import { sha256 } from "@/lib/platform/secrets";
import { findClaimHash } from "./queries-intents";

/** The holder of an intent's claim token. */
export type ClaimPrincipal = { intentId: string };

/** Source: RFC 6750, section 2.1; the scheme is case-insensitive by RFC 9110, section 11.1. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Authenticates a claim token for the intent in the path.
 *
 * @throws AppError `auth_failed` for a missing or wrong token, `intent_not_found`
 */
export async function authenticateClaim(db: Db, authorization: string, intentId: string): Promise<ClaimPrincipal> {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw refuseBearer(authorization);
  const claimHash = idPattern("intent").test(intentId) ? await findClaimHash(db, intentId) : undefined;
  if (!claimHash) throw new AppError("intent_not_found");
  if (!timingSafeEqual(sha256(token), claimHash)) throw refuseBearer(authorization);
  return { intentId };
}
