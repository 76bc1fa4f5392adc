import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";

import { makeFolder } from "@/db/make-folder.mjs";
import { loadSecrets } from "@/db/secrets";
import { writeWholeFile } from "@/db/write-file.mjs";
import { AppError } from "@/lib/contract/errors";
import type { Installation } from "./installation";
import type { BackupSecrets } from "./manifest";

const IN_FILE = ["AUTH_SECRET", "KEY_PEPPER", "KEKS"] as const;
/** Only the owner may read these files. */
const SECRET = { mode: 0o600 };
const IN_ENVIRONMENT = ["OAUTH_JWKS", "OAUTH_COOKIE_KEYS"] as const;

type Place = Pick<Installation, "dataDir" | "givenSecrets">;

const fileOf = ({ dataDir }: Place) => join(dataDir, "secrets.json");
const isComplete = ({ givenSecrets }: Place) => IN_FILE.every((name) => givenSecrets[name] !== undefined);

/**
 * Reads the secrets that the service uses.
 *
 * @throws AppError `conflict` if there are none, since a backup must not generate new ones
 */
export function readSecrets(place: Place): BackupSecrets {
  if (!isComplete(place) && !existsSync(fileOf(place)))
    throw new AppError("conflict", {
      message: `${fileOf(place)} is missing, and AUTH_SECRET, KEY_PEPPER and KEKS are not all set. Run this command with the DATA_DIR and the environment of the service.`,
    });
  const { OAUTH_JWKS, OAUTH_COOKIE_KEYS } = place.givenSecrets;
  return {
    ...loadSecrets(place.dataDir, place.givenSecrets),
    ...(OAUTH_JWKS === undefined ? {} : { OAUTH_JWKS }),
    ...(OAUTH_COOKIE_KEYS === undefined ? {} : { OAUTH_COOKIE_KEYS }),
  };
}

/** @throws AppError `conflict` if the environment's secrets differ from those in the backup */
export function refuseOtherSecrets({ givenSecrets }: Place, secrets: BackupSecrets): void {
  const other = [...IN_FILE, ...IN_ENVIRONMENT].filter(
    (name) => givenSecrets[name] !== undefined && givenSecrets[name] !== secrets[name],
  );
  if (other.length > 0)
    throw new AppError("conflict", {
      message: `${other.join(", ")} in the environment ${other.length === 1 ? "differs" : "differ"} from the backup: no key, session or sealed secret in it would work. Unset ${other.length === 1 ? "it" : "them"}: the backup contains its own.`,
    });
}

/** File with the variables that the environment must contain from now on. */
const variablesFile = ({ dataDir }: Place) => join(dataDir, "restored.env");

const missingVariables = ({ givenSecrets }: Place, secrets: BackupSecrets) =>
  IN_ENVIRONMENT.filter((name) => secrets[name] !== undefined && givenSecrets[name] === undefined);

/**
 * Stores a backup's secrets where the service reads them. Existing secrets of an unused installation are renamed, not
 * deleted.
 */
export function storeSecrets(place: Place, secrets: BackupSecrets): void {
  makeFolder(place.dataDir);
  if (!isComplete(place)) {
    const file = fileOf(place);
    const { AUTH_SECRET, KEY_PEPPER, KEKS } = secrets;
    const text = `${JSON.stringify({ AUTH_SECRET, KEY_PEPPER, KEKS }, undefined, 2)}\n`;
    if (existsSync(file) && readFileSync(file, "utf8") !== text)
      renameSync(file, `${file}.before-restore-${Date.now()}`);
    writeWholeFile(file, text, SECRET);
  }
  const missing = missingVariables(place, secrets);
  if (missing.length === 0) return;
  const lines = missing.map((name) => `${name}='${secrets[name]}'\n`);
  writeWholeFile(variablesFile(place), lines.join(""), SECRET);
}

/** What a person still has to do, if anything. */
export function describeMissing(place: Place, secrets: BackupSecrets): string | undefined {
  const missing = missingVariables(place, secrets);
  if (missing.length === 0) return undefined;
  return `Put ${missing.join(" and ")} into the environment of the service, from ${variablesFile(place)}`;
}
