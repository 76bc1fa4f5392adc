import type { z } from "zod";

import type { readProxyKeyOperation } from "@/lib/contract/visitor";
import type { Context } from "@/lib/platform/context";
import type { ApiKeyPrincipal } from "@/lib/tenancy/api-keys";
import { currentSecret } from "./signed-visitor";

type Output = z.input<(typeof readProxyKeyOperation.responses)[200]>;

/**
 * Derives the secret with which the site's proxy signs for its visitors under the caller's API key. Nothing is stored.
 */
export function readProxyKey({ now }: Context, { keyId }: ApiKeyPrincipal): Output {
  const { secret, expiresAt } = currentSecret(keyId, now);
  return { key_id: keyId, secret, issued_at: now.toISOString(), expires_at: expiresAt.toISOString() };
}
