import { createHmac, randomBytes } from "node:crypto";

import { open, seal } from "@/lib/platform/sealed";

const PREFIX = "whsec_";
/** Source: Standard Webhooks, section "Signature scheme": 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A new signing secret in the form shown to users. */
export const newSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** What a sealed secret is bound to: its row, in either of the two columns. */
export const secretPlace = (endpointId: string): string => `webhook_endpoints.sealed_secret ${endpointId}`;

export const sealSecret = (secret: string, endpointId: string): string => seal(secret, secretPlace(endpointId));
export const openSecret = (sealed: string, endpointId: string): string => open(sealed, secretPlace(endpointId));

/**
 * The value of `webhook-signature`: one signature per secret.
 * Source: Standard Webhooks, section "Signature scheme".
 */
export function signMessage(
  secrets: readonly string[],
  { id, timestampSeconds, payload }: { id: string; timestampSeconds: number; payload: string },
): string {
  const sign = (secret: string) =>
    createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
      .update(`${id}.${timestampSeconds}.${payload}`)
      .digest("base64");
  return secrets.map((secret) => `v1,${sign(secret)}`).join(" ");
}
