import { accountKeyStore } from "@/lib/visits/account-map";
import type { Context } from "@/lib/platform/context";
import { rewrapSealed, type SealedStore } from "@/lib/platform/sealed";
import { TRIAL_SEALED_STORES } from "@/lib/trials";

/** Every column of sealed secrets. A feature that keeps some names its own here. */
export const SEALED_STORES: readonly SealedStore[] = [accountKeyStore, ...TRIAL_SEALED_STORES];

/**
 * Puts every sealed secret under the current key of `KEKS`, so that older ones may be left out.
 *
 * @throws AppError `forbidden`
 */
export const rewrapSecrets = (context: Context) => rewrapSealed(context, SEALED_STORES);
