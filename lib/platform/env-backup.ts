import { z } from "zod";

import { areRecipients } from "./env-values";

/** The variables of backups. */
export const backupVariables = {
  BACKUP_DIR: z
    .string()
    .optional()
    .describe("Folder into which the service writes a backup by itself. Default: none is written."),
  BACKUP_EVERY_HOURS: z.coerce.number().int().min(1).max(168).default(24).describe("Hours between two backups."),
  BACKUP_HOUR: z.coerce
    .number()
    .int()
    .min(0)
    .max(23)
    .default(3)
    .describe("Hour of UTC from which they are counted: with 24 hours between them, the hour of the daily one."),
  BACKUP_KEEP: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(7)
    .describe("How many backups stay in `BACKUP_DIR`; older ones are deleted when a new one is complete."),
  BACKUP_PASSPHRASE: z
    .string()
    .min(12)
    .optional()
    .describe("Passphrase that encrypts backups, 12 characters or more; restoring needs it too. Keep it elsewhere."),
  BACKUP_RECIPIENTS: z
    .string()
    .default("")
    .refine(areRecipients, "expected age public keys, age1…, separated by blanks")
    .describe("Instead: age public keys, separated by blanks, so that this machine cannot read its backups."),
};
