import type { SealedStore } from "@/lib/platform/sealed";
import { keyPlace } from "./provision-trial";
import {
  listSealedKeysNotUnder,
  listSealedPayloadsNotUnder,
  replaceSealedKey,
  replaceSealedPayload,
} from "./queries-sealed";
import { payloadPlace } from "./run-flow";

const idOf = (boundTo: string) => boundTo.slice(boundTo.lastIndexOf(" ") + 1);

/** Sealed secrets of purchases: keys until they are delivered, payments until their outcome is known. */
export const TRIAL_SEALED_STORES: readonly SealedStore[] = [
  {
    name: "trial_intents.sealed_key",
    async listNotUnder(db, keyId, limit) {
      const rows = await listSealedKeysNotUnder(db, keyId, limit);
      return rows.map(({ intentId, sealed }) => ({ boundTo: keyPlace(intentId), sealed }));
    },
    replace: (db, { boundTo, old, fresh }) => replaceSealedKey(db, idOf(boundTo), { old, fresh }),
  },
  {
    name: "payment_attempts.sealed_payload",
    async listNotUnder(db, keyId, limit) {
      const rows = await listSealedPayloadsNotUnder(db, keyId, limit);
      return rows.map(({ attemptId, sealed }) => ({ boundTo: payloadPlace(attemptId), sealed }));
    },
    replace: (db, { boundTo, old, fresh }) => replaceSealedPayload(db, idOf(boundTo), { old, fresh }),
  },
];
