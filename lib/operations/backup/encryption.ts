import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

import { AppError } from "@/lib/contract/errors";

/** How a backup is encrypted. */
export type Encryption =
  | { kind: "passphrase"; passphrase: string }
  | { kind: "recipients"; recipients: readonly string[] }
  | { kind: "none" };

/** What can decrypt a backup. */
export type Unlock = { passphrase?: string | undefined; identities?: readonly string[] };

/** 128 MB and about a second per guess. age's own default costs twice as much. */
const SCRYPT_WORK_FACTOR = 17;
const AGE_MAGIC = "age-encryption.org/v1\n";

const refuse = (message: string, cause?: unknown) => new AppError("invalid_request", { message, cause });

type Settings = { passphrase: string | undefined; recipients: readonly string[]; isUnencrypted: boolean };

/**
 * Determines the encryption from settings and options.
 *
 * @throws AppError `invalid_request` if they specify none or several
 */
export function chooseEncryption({ passphrase, recipients, isUnencrypted }: Settings): Encryption {
  if (isUnencrypted) return { kind: "none" };
  if (passphrase !== undefined && recipients.length > 0)
    throw refuse(
      "BACKUP_PASSPHRASE and BACKUP_RECIPIENTS are both set: a backup can be encrypted with only one of them.",
    );
  if (passphrase !== undefined) return { kind: "passphrase", passphrase };
  if (recipients.length > 0) return { kind: "recipients", recipients };
  throw refuse(
    "A backup contains personal data and every secret of this installation. Set BACKUP_PASSPHRASE, or BACKUP_RECIPIENTS to age public keys, or use --unencrypted.",
  );
}

/** The age package on npm uses web streams. */
const toWeb = (stream: Readable) => Readable.toWeb(stream) as globalThis.ReadableStream<Uint8Array>;
const fromWeb = (stream: globalThis.ReadableStream<Uint8Array>) => Readable.fromWeb(stream as ReadableStream);

/** Encrypts a stream in age format (age-encryption.org/v1), in constant memory. */
export async function encrypt(plain: Readable, encryption: Encryption): Promise<Readable> {
  if (encryption.kind === "none") return plain;
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  if (encryption.kind === "passphrase") {
    encrypter.setScryptWorkFactor(SCRYPT_WORK_FACTOR);
    encrypter.setPassphrase(encryption.passphrase);
  } else {
    for (const recipient of encryption.recipients) encrypter.addRecipient(recipient);
  }
  return fromWeb(await encrypter.encrypt(toWeb(plain)));
}

/**
 * Decrypts a stream written by `encrypt`; unencrypted input is passed through. Fails if the stream was altered or
 * truncated.
 *
 * @throws AppError `invalid_request` if it cannot be decrypted, with what is missing
 */
export async function decrypt(file: Readable, head: string, unlock: Unlock): Promise<Readable> {
  if (!head.startsWith(AGE_MAGIC)) return file;
  const needsPassphrase = head.includes("\n-> scrypt ");
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  if (needsPassphrase) {
    if (unlock.passphrase === undefined)
      throw refuse("The backup is encrypted with a passphrase: set BACKUP_PASSPHRASE to it.");
    decrypter.addPassphrase(unlock.passphrase);
  } else {
    if (!unlock.identities?.length)
      throw refuse("The backup is encrypted for an age key: name its file with --identity FILE.");
    for (const identity of unlock.identities) decrypter.addIdentity(identity);
  }
  try {
    return fromWeb(await decrypter.decrypt(toWeb(file)));
  } catch (cause) {
    throw refuse(
      needsPassphrase
        ? "BACKUP_PASSPHRASE does not open the backup: it is the wrong one, or the beginning of the file was altered."
        : "No key of --identity opens the backup: it was encrypted for another one, or the beginning of the file was altered.",
      cause,
    );
  }
}

/**
 * Reads the keys of an identity file written by `age-keygen`.
 *
 * @throws AppError `invalid_request`
 */
export async function readIdentities(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw refuse(`--identity ${file} cannot be read.`, cause);
  });
  const keys = text.split("\n").flatMap((line) => /^AGE-SECRET-KEY-\S+/.exec(line.trim())?.[0] ?? []);
  if (keys.length === 0) throw refuse(`--identity ${file} contains no AGE-SECRET-KEY-… line.`);
  return keys;
}
