import type { Db } from "@/db/client";
import { recordHash } from "./adapter";
import { isLoopback } from "./domain/registration";
import { findRecordByUid, upsertRecord } from "./queries-records";

const MODEL = "ApprovedRedirect";

/** The port of a loopback address does not count. */
function nameOf(clientId: string, redirectUri: string): string {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  if (url && isLoopback(url)) url.port = "";
  return recordHash(`${clientId} ${url?.href ?? redirectUri}`);
}

type Approved = { clientId: string; redirectUri: string; grantId: string; days: number };

/** Records that a person approved a client's redirect address, until the grant ends, at most for `days`. */
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

/** Whether any person has approved a client's redirect address. */
export const isRedirectApproved = async (db: Db, clientId: string, redirectUri: string): Promise<boolean> =>
  (await findRecordByUid(db, MODEL, nameOf(clientId, redirectUri))) !== undefined;
