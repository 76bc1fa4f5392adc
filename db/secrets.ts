import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { prepareDataDir } from "./make-folder.mjs";
import { writeWholeFile } from "./write-file.mjs";

/** Secrets for signing links, hashing keys and sealing secrets. Key rings are `kid:base64[,kid:base64]`. */
export type Secrets = { AUTH_SECRET: string; KEY_PEPPER: string; KEKS: string };

const NAMES = ["AUTH_SECRET", "KEY_PEPPER", "KEKS"] as const;
const SECRET_BYTES = 32;

const newKeyRing = () => `k1:${randomBytes(SECRET_BYTES).toString("base64")}`;

function readSecrets(file: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Partial<Secrets>;
  } catch (error) {
    throw new Error(`${file} cannot be read. Start Imprint as the user that owns it, or restore it from a backup.`, {
      cause: error,
    });
  }
}

/** Creates the file atomically and only once: of two concurrent processes, one creates it and both read it. */
function generate(file: string): void {
  const secrets: Secrets = {
    AUTH_SECRET: randomBytes(SECRET_BYTES).toString("base64url"),
    KEY_PEPPER: newKeyRing(),
    KEKS: newKeyRing(),
  };
  try {
    writeWholeFile(file, `${JSON.stringify(secrets, undefined, 2)}\n`, { mode: 0o600, isNew: true });
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
}

/**
 * Loads this installation's secrets from the environment, and any that are missing there from `secrets.json` in the
 * data directory, which is generated once, unless the installation has to exist already.
 *
 * @throws Error when the file is missing, or cannot be read
 */
export function loadSecrets(
  dataDir: string,
  given: { [N in keyof Secrets]?: string | undefined },
  { mayGenerate }: { mayGenerate: boolean } = { mayGenerate: true },
): Secrets {
  const file = join(dataDir, "secrets.json");
  const isComplete = NAMES.every((name) => given[name] !== undefined);
  if (!isComplete && !existsSync(file)) {
    if (!mayGenerate)
      throw new Error(
        `${file} does not exist, and AUTH_SECRET, KEY_PEPPER and KEKS are not all set. Use the DATA_DIR or the environment of the installation to which the database belongs, or restore the file from a backup.`,
      );
    prepareDataDir(dataDir);
    generate(file);
  }
  const stored = isComplete ? {} : readSecrets(file);
  const pick = (name: keyof Secrets): string => {
    const value = given[name] ?? stored[name];
    if (value === undefined)
      throw new Error(`${file} has no ${name}. Restore it from a backup, or set ${name} in the environment.`);
    return value;
  };
  return { AUTH_SECRET: pick("AUTH_SECRET"), KEY_PEPPER: pick("KEY_PEPPER"), KEKS: pick("KEKS") };
}

const nextKeyId = (ring: string): string => {
  const used = ring.split(",").map((entry) => Number(/^k(\d+):/.exec(entry)?.[1] ?? "0"));
  return `k${Math.max(0, ...used) + 1}`;
};

/**
 * Adds a new key to the front of a ring, or replaces the secret of sign-in links, in the secrets file. Running
 * processes keep the old secrets until they are restarted.
 *
 * @returns the id of the new key; undefined for a secret without ids
 */
export function rotateSecret(file: string, name: keyof Secrets): string | undefined {
  const stored = readSecrets(file);
  const old = stored[name];
  if (old === undefined) throw new Error(`${file} has no ${name}: it comes from the environment.`);
  const isRing = name !== "AUTH_SECRET";
  const id = isRing ? nextKeyId(old) : undefined;
  const fresh = randomBytes(SECRET_BYTES);
  const value = isRing ? `${id}:${fresh.toString("base64")},${old}` : fresh.toString("base64url");
  writeWholeFile(file, `${JSON.stringify({ ...stored, [name]: value }, undefined, 2)}\n`, { mode: 0o600 });
  return id;
}
