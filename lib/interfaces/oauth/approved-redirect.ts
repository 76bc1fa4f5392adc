import type { Db } from "@/db/client";
import { recordHash } from "./adapter";
import { isLoopback } from "./domain/registration";
import { findRecordByUid, upsertRecord } from "./queries-records";

const MODEL = "ApprovedRedirect";

/** Key of an approved redirect address. The port of a loopback address is ignored. */
function nameOf(clientId: string, redirectUri: string): string {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  if (url && isLoopback(url)) url.port = "";
  return recordHash(`${clientId} ${url?.href ?? redirectUri}`);
}

type Approved = { clientId: string; redirectUri: string; grantId: string; days: number };

/** Records that a person approved a client's redirect address, until the grant ends and for at most `days`. */
export async function approveRedirect(tx: Db, { clientId, redirectUri, grantId, days }: Approved): Promise<void> {
  await upsertRecord(tx, {
    model: MODEL,
    recordId: recordHash(grantId),
    payload: { clientId },
    grantId,
    uid: nameOf(clientId, redirectUri),
    expiresInSeconds: days * 86_400,
  });
}

/** Whether anyone has approved a client's redirect address. */
export const isRedirectApproved = async (db: Db, clientId: string, redirectUri: string): Promise<boolean> =>
  (await findRecordByUid(db, MODEL, nameOf(clientId, redirectUri))) !== undefined;
