import { timingSafeEqual } from "node:crypto";

import type { Db } from "@/db/client";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import { authSecret, hmac, keyEncryptionKeys, oauthSecrets, peppers } from "@/lib/platform/secrets";
import { insertSecretChecks, listSecretChecks, listSecretChecksIfAny, lockSecretChecks } from "./queries";

const PURPOSE = "imprint secret check v1";

const VARIABLES: Record<string, string> = {
  auth: "AUTH_SECRET",
  pepper: "KEY_PEPPER",
  kek: "KEKS",
  "oauth-jwks": "OAUTH_JWKS",
  "oauth-cookies": "OAUTH_COOKIE_KEYS",
};

const variableOf = (secretId: string) => VARIABLES[secretId.split(":")[0] ?? ""] ?? secretId;

const checkOf = (secretId: string, key: Uint8Array) => ({ secretId, checkValue: hmac(key, PURPOSE, secretId) });

/** Only configured secrets of the authorization server; the others are derived from the pepper. */
function oauthChecks() {
  const { jwks, cookieKeys } = oauthSecrets();
  return [
    ...(jwks === undefined ? [] : [checkOf("oauth-jwks", Buffer.from(jwks))]),
    ...(cookieKeys === undefined ? [] : [checkOf("oauth-cookies", Buffer.from(cookieKeys))]),
  ];
}

const ownChecks = () => [
  checkOf("auth", Buffer.from(authSecret())),
  ...peppers().map(({ id, key }) => checkOf(`pepper:${id}`, key)),
  ...keyEncryptionKeys().map(({ id, key }) => checkOf(`kek:${id}`, key)),
  ...oauthChecks(),
];

const differs = (secretId: string) =>
  `${variableOf(secretId)} (${secretId}) is not the secret that this database was first used with. ` +
  "Give every replica the same secrets, through the environment or the same DATA_DIR. " +
  `If it was replaced on purpose: ${ADMIN_COMMAND} secret forget --id ${secretId}`;

const lacks = (secretId: string) => (secretId.startsWith("oauth-") ? isMissing(secretId) : lacksKey(secretId));

const isMissing = (secretId: string) =>
  `${variableOf(secretId)} is not set, but this database was used with it. Give every replica the same value. ` +
  `If it was removed on purpose: ${ADMIN_COMMAND} secret forget --id ${secretId}`;

const lacksKey = (secretId: string) =>
  `${variableOf(secretId)} lacks the key ${secretId.slice(secretId.indexOf(":") + 1)}, which was used with this database. ` +
  "Put it back after the new one; data created with it still needs it. " +
  `If it is no longer needed: ${ADMIN_COMMAND} secret forget --id ${secretId}`;

type Checks = Awaited<ReturnType<typeof listSecretChecks>>;

/** Describes how this process's secrets differ from those of the database. */
export const compareSecrets = async (db: Db, own: Checks = ownChecks()): Promise<string[]> =>
  describeDifferences(await listSecretChecks(db), own);

function describeDifferences(known: Checks, own: Checks): string[] {
  return known.flatMap(({ secretId, checkValue }) => {
    const mine = own.find((check) => check.secretId === secretId);
    if (!mine) return [lacks(secretId)];
    const isEqual = mine.checkValue.length === checkValue.length && timingSafeEqual(mine.checkValue, checkValue);
    return isEqual ? [] : [differs(secretId)];
  });
}

/**
 * Requires the secrets that the database was used with before, and records new ones. A process with other secrets would
 * refuse every key and write unusable data.
 *
 * @throws Error with each secret that differs
 */
export async function verifySecrets(db: Db): Promise<void> {
  const own = ownChecks();
  await db.transaction(async (tx) => {
    await lockSecretChecks(tx);
    const problems = await compareSecrets(tx, own);
    if (problems.length > 0) throw new Error(problems.join("\n"));
    await insertSecretChecks(tx, own);
  });
}

/**
 * Whether a database, migrated or not, was used with secrets before. Without them new ones must not be generated for it.
 */
export const hasSecrets = async (db: Db): Promise<boolean> => (await listSecretChecksIfAny(db)).length > 0;

/**
 * Requires the secrets that a database was used with, before anything in it is changed.
 *
 * @throws Error with each secret that differs
 */
export async function refuseOtherSecrets(db: Db): Promise<void> {
  const problems = describeDifferences(await listSecretChecksIfAny(db), ownChecks());
  if (problems.length > 0) throw new Error(problems.join("\n"));
}
