import { accountKeyStore } from "@/lib/visits/account-map";
import type { Context } from "@/lib/platform/context";
import { type OnRewrapped, rewrapSealed, type SealedStore } from "@/lib/platform/sealed";
import { webhookSecretStore } from "@/lib/tenancy/webhooks";
import { TRIAL_SEALED_STORES } from "@/lib/trials";

/** All columns with sealed secrets; each feature contributes its own. */
export const SEALED_STORES: readonly SealedStore[] = [accountKeyStore, webhookSecretStore, ...TRIAL_SEALED_STORES];

/**
 * Rewraps every sealed secret under the current key of `KEKS`, so that older keys can be removed.
 *
 * @throws AppError `forbidden`
 */
export const rewrapSecrets = (context: Context, onRewrapped?: OnRewrapped) =>
  rewrapSealed(context, SEALED_STORES, onRewrapped);
