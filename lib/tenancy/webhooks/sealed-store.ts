import type { SealedStore } from "@/lib/platform/sealed";
import { listSecretsNotUnder, replaceSealed } from "./queries";
import { secretPlace } from "./secret";

/** Signing secrets, current and previous. */
export const webhookSecretStore: SealedStore = {
  name: "webhook_endpoints.sealed_secret",
  async listNotUnder(db, keyId, limit) {
    const rows = await listSecretsNotUnder(db, keyId, limit);
    return rows.map(({ endpointId, sealed }) => ({ boundTo: secretPlace(endpointId), sealed }));
  },
  replace: (db, { boundTo, old, fresh }) =>
    replaceSealed(db, boundTo.slice(boundTo.lastIndexOf(" ") + 1), { old, fresh }),
};
