import { connect } from "@/db/client";
import { loadSecrets } from "@/db/secrets";
import { env } from "@/lib/platform/env";
import { publishSecrets } from "@/lib/platform/secrets";
import { hasSecrets, refuseOtherSecrets } from "./verify-secrets";

/**
 * Loads the secrets of this process from the environment and the data directory.
 *
 * @throws Error when they are missing, unless new ones may be generated
 */
export function openSecrets(dataDir: string, { mayGenerate } = { mayGenerate: false }): void {
  const { AUTH_SECRET, KEY_PEPPER, KEKS } = env;
  const secrets = loadSecrets(dataDir, { AUTH_SECRET, KEY_PEPPER, KEKS }, { mayGenerate });
  publishSecrets({
    authSecret: secrets.AUTH_SECRET,
    keyPepper: secrets.KEY_PEPPER,
    keks: secrets.KEKS,
    oauthJwks: env.OAUTH_JWKS,
    oauthCookieKeys: env.OAUTH_COOKIE_KEYS,
  });
}

type Options = {
  dataDir: string;
  database: { databaseUrl: string; hasSettings: boolean };
  /** Whether other secrets than those of the database are accepted. */
  mayDiffer?: boolean;
};

/**
 * Migrates a database with its secrets: those of a used database have to be here, and fit, before anything is changed in
 * it. For a new one they are generated, once it was reached and migrated, so that no file is left that belongs to none.
 *
 * @throws Error with each secret that differs from those of the database, or is missing
 */
export async function migrateWithSecrets<T>(
  { dataDir, database, mayDiffer = false }: Options,
  migrate: () => Promise<T>,
): Promise<T> {
  const { databaseUrl: url, hasSettings } = database;
  const reading = connect({ url, poolSize: 2, prepare: false, hasSettings, applicationName: "imprint-secrets" });
  let isUsed: boolean;
  try {
    isUsed = await hasSecrets(reading.db);
    if (isUsed) openSecrets(dataDir);
    if (isUsed && !mayDiffer) await refuseOtherSecrets(reading.db);
  } finally {
    await reading.close();
  }
  const migrated = await migrate();
  if (!isUsed) openSecrets(dataDir, { mayGenerate: true });
  return migrated;
}
