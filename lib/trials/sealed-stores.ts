import type { SealedStore } from "@/lib/platform/sealed";
import { keyPlace } from "./provision-trial";
import {
  listSealedKeysNotUnder,
  listSealedPayloadsNotUnder,
  replaceSealedKey,
  replaceSealedPayload,
} from "./queries-sealed";
import { payloadPlace } from "./run-flow";

const lastWord = (place: string) => place.slice(place.lastIndexOf(" ") + 1);

/** Where purchases keep sealed secrets: keys that wait for delivery, and payments that wait for their outcome. */
export const TRIAL_SEALED_STORES: readonly SealedStore[] = [
  {
    name: "trial_intents.sealed_key",
    async listNotUnder(db, keyId, limit) {
      const rows = await listSealedKeysNotUnder(db, keyId, limit);
      return rows.map(({ intentId, sealed }) => ({ boundTo: keyPlace(intentId), sealed }));
    },
    replace: (db, { boundTo, old, fresh }) => replaceSealedKey(db, lastWord(boundTo), { old, fresh }),
  },
  {
    name: "payment_attempts.sealed_payload",
    async listNotUnder(db, keyId, limit) {
      const rows = await listSealedPayloadsNotUnder(db, keyId, limit);
      return rows.map(({ attemptId, sealed }) => ({ boundTo: payloadPlace(attemptId), sealed }));
    },
    replace: (db, { boundTo, old, fresh }) => replaceSealedPayload(db, lastWord(boundTo), { old, fresh }),
  },
];
