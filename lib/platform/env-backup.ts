import { z } from "zod";

import { areRecipients } from "./env-values";

/** Variables of backups. */
export const backupVariables = {
  BACKUP_DIR: z
    .string()
    .optional()
    .describe("Folder to which the service writes scheduled backups. Default: no scheduled backups."),
  BACKUP_EVERY_HOURS: z.coerce.number().int().min(1).max(168).default(24).describe("Hours between two backups."),
  BACKUP_HOUR: z.coerce
    .number()
    .int()
    .min(0)
    .max(23)
    .default(3)
    .describe("UTC hour at which the schedule starts; with an interval of 24 hours, the hour of the daily backup."),
  BACKUP_KEEP: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(7)
    .describe("Number of backups to keep in `BACKUP_DIR`; older ones are deleted after a new one completes."),
  BACKUP_PASSPHRASE: z
    .string()
    .min(12)
    .optional()
    .describe(
      "Passphrase that encrypts backups, at least 12 characters. Restoring requires it: keep a copy elsewhere.",
    ),
  BACKUP_RECIPIENTS: z
    .string()
    .default("")
    .refine(areRecipients, "expected age public keys, age1…, separated by spaces")
    .describe(
      "Alternative to a passphrase: age public keys, separated by spaces. This machine cannot decrypt its backups.",
    ),
};
