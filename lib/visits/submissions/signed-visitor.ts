import { timingSafeEqual } from "node:crypto";

import { AppError } from "@/lib/contract/errors";
import { VISITOR_SKEW_SECONDS, VisitorHeader, VisitorPayload } from "@/lib/contract/visitor";
import { visitorText } from "@/lib/contract/visitor-text";
import { canonicalAddress } from "@/lib/platform/addresses";
import { deriveKey, hmac, peppers, sha256 } from "@/lib/platform/secrets";
import { isStorableValue } from "@/lib/platform/storable";
import { readDeviceToken } from "@/lib/visits/devices";

/** The visitor on whose behalf the site's proxy sends a request, signed with one of its workspace's API keys. */
export type SignedVisitor = {
  /** The signature is verified. Whether the key is usable and belongs to the workspace is checked later. */
  keyId: string;
  /** Canonical. */
  address: string;
  /** The visitor's token as kept by the proxy, possibly empty. Undefined if the page keeps the token. */
  keptToken: string | undefined;
  /** Headers of the visitor's request by lower-case name, in order of arrival. A name without a value is undefined. */
  headers: ReadonlyMap<string, string | undefined> | undefined;
};

const DAY_SECONDS = 86_400;
/** Days for which a secret signs: the rest of its own day and the whole next day. */
const LIFETIME_DAYS = 2;

type Pepper = ReturnType<typeof peppers>[number];

const dayOf = (now: Date) => Math.floor(now.getTime() / 1000 / DAY_SECONDS);

/** The signing secret of a key on one day. Derived, never stored. */
const secretOf = (keyId: string, day: number, pepper?: Pepper): string =>
  hmac(deriveKey("visitor signatures", pepper), `${keyId}\n${day}`).toString("base64url");

/** The secret with which a proxy signs under an API key. */
export function currentSecret(keyId: string, now: Date): { secret: string; expiresAt: Date } {
  const day = dayOf(now);
  return { secret: secretOf(keyId, day), expiresAt: new Date((day + LIFETIME_DAYS) * DAY_SECONDS * 1000) };
}

/** All secrets that are still accepted, including those from older peppers. */
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

/** Joins repeated headers into one list (RFC 9110, section 5.3). */
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
 * Opens a proxy's signature, which must match this operation and body and be recent. Nothing in the payload is read
 * before the signature is verified. Does not use the database.
 *
 * @param path of the operation
 * @throws AppError `visitor_signature_invalid`, `visitor_signature_expired`
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

/** The token that a request presents: the proxy's if usable, else the page's. Undefined without a usable one. */
export const presentedToken = (
  workspaceId: string,
  ofPage: string | undefined,
  visitor: SignedVisitor | undefined,
): string | undefined =>
  [visitor?.keptToken, ofPage].find((token) => readDeviceToken(workspaceId, token) !== undefined);

/**
 * The valid token, for a proxy that keeps it (it may have come from the page). A page that keeps its own needs no copy.
 */
export const tokenToKeep = (token: string | undefined, visitor: SignedVisitor | undefined): string | undefined =>
  visitor?.keptToken === undefined ? undefined : token;
