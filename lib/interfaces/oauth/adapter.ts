import type { Adapter, AdapterPayload } from "oidc-provider";

import { database } from "@/db/client";
import { sha256 } from "@/lib/platform/secrets";
import {
  consumeRecord,
  deleteGrant,
  deleteRecord,
  deleteRecordsOfGrant,
  findRecord,
  findRecordByUid,
  upsertRecord,
} from "./queries-records";

/** Models whose identifiers are public. Identifiers of other models are credentials and stored as hashes. */
const PUBLIC_IDENTIFIERS = new Set(["Client", "Grant"]);

/** Lifetime of a registration that has no grant. */
const UNUSED_REGISTRATION_SECONDS = 7 * 86_400;

export const recordHash = (identifier: string): string => sha256(identifier).toString("base64url");

const recordIdOf = (model: string, identifier: string) =>
  PUBLIC_IDENTIFIERS.has(model) ? identifier : recordHash(identifier);

/** The payload to store: without credentials, and with only the hash of a client's secret. */
function storable(model: string, payload: AdapterPayload): Record<string, unknown> {
  const { jti, client_secret: secret, ...rest } = payload;
  return {
    ...rest,
    ...(jti !== undefined && PUBLIC_IDENTIFIERS.has(model) ? { jti } : {}),
    ...(secret === undefined ? {} : { client_secret: recordHash(secret) }),
  };
}

type Found = Awaited<ReturnType<typeof findRecord>>;

function restore(found: Found, jti?: string): AdapterPayload | undefined {
  if (!found) return undefined;
  const { payload, consumedSeconds } = found;
  return {
    ...payload,
    ...(jti === undefined ? {} : { jti }),
    ...(consumedSeconds === null ? {} : { consumed: consumedSeconds }),
  };
}

/**
 * The authorization server's storage for one of its models, shared by all replicas.
 *
 * @param refuseUsed creates the library's error for a record that another replica has consumed
 */
export function createAdapter(model: string, refuseUsed: () => Error): Adapter {
  const idOf = (identifier: string) => recordIdOf(model, identifier);
  return {
    async upsert(identifier, payload, expiresInSeconds) {
      await upsertRecord(database(), {
        model,
        recordId: idOf(identifier),
        payload: storable(model, payload),
        grantId: payload.grantId ?? null,
        uid: payload.uid ?? null,
        expiresInSeconds: model === "Client" ? UNUSED_REGISTRATION_SECONDS : expiresInSeconds,
      });
    },
    async find(identifier) {
      const isOpen = model === "Client";
      return restore(await findRecord(database(), model, idOf(identifier)), isOpen ? undefined : identifier);
    },
    findByUserCode: () => Promise.resolve(undefined),
    async findByUid(uid) {
      return restore(await findRecordByUid(database(), model, uid));
    },
    async consume(identifier) {
      if (!(await consumeRecord(database(), model, idOf(identifier)))) throw refuseUsed();
    },
    async destroy(identifier) {
      if (model === "Grant") await database().transaction((tx) => deleteGrant(tx, identifier));
      else await deleteRecord(database(), model, idOf(identifier));
    },
    revokeByGrantId: (grantId) => deleteRecordsOfGrant(database(), grantId),
  };
}
