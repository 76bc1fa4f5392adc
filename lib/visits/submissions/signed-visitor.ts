import { timingSafeEqual } from "node:crypto";

import { AppError } from "@/lib/contract/errors";
import { VISITOR_SKEW_SECONDS, VisitorHeader, VisitorPayload } from "@/lib/contract/visitor";
import { visitorText } from "@/lib/contract/visitor-text";
import { canonicalAddress } from "@/lib/platform/addresses";
import { deriveKey, hmac, peppers, sha256 } from "@/lib/platform/secrets";
import { isStorableValue } from "@/lib/platform/storable";
import { readDeviceToken } from "@/lib/visits/devices";

/** For whom a proxy of the site forwards a request, in the name of one of its workspace's API keys. */
export type SignedVisitor = {
  /** The key has signed; whether it is usable, and of the workspace, is not known yet. */
  keyId: string;
  /** Canonical. */
  address: string;
  /** What the proxy keeps as the visitor's token, maybe empty; undefined when the page keeps it. */
  keptToken: string | undefined;
  /** Of the visitor's request by lower-case name, in the order of arrival; empty without its value. */
  headers: ReadonlyMap<string, string | undefined> | undefined;
};

const DAY_SECONDS = 86_400;
/** A secret signs for the rest of its day and the day after. */
const LIFETIME_DAYS = 2;

type Pepper = ReturnType<typeof peppers>[number];

const dayOf = (now: Date) => Math.floor(now.getTime() / 1000 / DAY_SECONDS);

/** The signing secret of a key on a day, which nothing stores. */
const secretOf = (keyId: string, day: number, pepper?: Pepper): string =>
  hmac(deriveKey("visitor signatures", pepper), `${keyId}\n${day}`).toString("base64url");

/** The secret with which a proxy signs in the name of a key. */
export function currentSecret(keyId: string, now: Date): { secret: string; expiresAt: Date } {
  const day = dayOf(now);
  return { secret: secretOf(keyId, day), expiresAt: new Date((day + LIFETIME_DAYS) * DAY_SECONDS * 1000) };
}

/** Every secret that may have signed, those of older peppers included. */
const usableSecrets = (keyId: string, now: Date): string[] =>
  peppers().flatMap((pepper) =>
    Array.from({ length: LIFETIME_DAYS }, (_, age) => secretOf(keyId, dayOf(now) - age, pepper)),
  );

const invalid = (cause?: unknown) => new AppError("visitor_signature_invalid", { cause });

function parsePayload(payload: string) {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    const { address, token, headers } = VisitorPayload.parse(value);
    const canonical = canonicalAddress(address);
    if (canonical === undefined || !isStorableValue(value)) throw invalid();
    return { address: canonical, keptToken: token, headers };
  } catch (cause) {
    throw invalid(cause);
  }
}

/** The values of one name as one list. Source: RFC 9110, section 5.3. */
function toMap(headers: NonNullable<ReturnType<typeof parsePayload>["headers"]>) {
  const map = new Map<string, string | undefined>();
  for (const [written, value] of headers) {
    const name = written.toLowerCase();
    const before = map.get(name);
    map.set(name, before === undefined || value === undefined ? (value ?? before) : `${before}, ${value}`);
  }
  return map;
}

/**
 * Reads what a proxy signed: for this operation, this body and about this time. Nothing of it is looked at before the
 * signature fits, and nothing is asked of the database.
 *
 * @param path of the operation
 * @throws AppError visitor_signature_invalid, visitor_signature_expired
 */
export function openVisitor({
  header,
  path,
  rawBody,
  now,
}: {
  header: string;
  path: string;
  rawBody: string;
  now: Date;
}): SignedVisitor {
  if (!VisitorHeader.safeParse(header).success) throw invalid();
  const [, keyId = "", time = "", payload = "", given = ""] = header.split(".");
  const text = visitorText({ path, bodyDigest: sha256(rawBody).toString("hex"), keyId, time, payload });
  const mac = Buffer.from(given, "base64url");
  if (!usableSecrets(keyId, now).some((secret) => timingSafeEqual(hmac(Buffer.from(secret), text), mac)))
    throw invalid();
  if (Math.abs(now.getTime() / 1000 - Number(time)) > VISITOR_SKEW_SECONDS)
    throw new AppError("visitor_signature_expired");
  const { headers, ...known } = parsePayload(payload);
  return { keyId, ...known, headers: headers && toMap(headers) };
}

/** The token that a request presents: that which the proxy keeps, else that of the page; undefined without a usable one. */
export const presentedToken = (
  workspaceId: string,
  ofPage: string | undefined,
  visitor: SignedVisitor | undefined,
): string | undefined =>
  [visitor?.keptToken, ofPage].find((token) => readDeviceToken(workspaceId, token) !== undefined);

/** A token that is still good, for a proxy that keeps it: it may have come from the page. The page itself has it. */
export const tokenToKeep = (token: string | undefined, visitor: SignedVisitor | undefined): string | undefined =>
  visitor?.keptToken === undefined ? undefined : token;
