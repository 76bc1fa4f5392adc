import { runBackup, runRestore, upgradeDatabase } from "@/lib/operations/backup";
import type { Command } from "../command";

const identityOption = { value: "FILE", description: "age identity file, for a backup that BACKUP_RECIPIENTS closed" };

export const backupCommands: readonly Command[] = [
  {
    name: "backup",
    summary: "Write a backup of everything while the service runs: database and secrets, encrypted",
    options: {
      to: { value: "FILE", description: "New file, or a folder; BACKUP_DIR unless given" },
      verify: { description: "Read it again from its beginning to its end, with the hash of each table" },
      from: { value: "FILE", description: "With --verify: read this backup and write none" },
      identity: identityOption,
      unencrypted: {
        description: "Without BACKUP_PASSPHRASE or BACKUP_RECIPIENTS: whoever reads the file has everything",
      },
    },
    runOnInstallation: (installation, given) =>
      runBackup(installation, {
        to: given.optional("to"),
        from: given.optional("from"),
        identity: given.optional("identity"),
        isVerified: given.has("verify"),
        isUnencrypted: given.has("unencrypted"),
      }),
  },
  {
    name: "restore",
    summary: "Restore a backup of this or an earlier release into an empty installation",
    options: {
      from: { value: "FILE", description: "Backup", isRequired: true },
      verify: { description: "Read the restored tables again and compare them with the backup by their hashes" },
      identity: identityOption,
    },
    runOnInstallation: (installation, given) =>
      runRestore(installation, {
        from: given.text("from"),
        identity: given.optional("identity"),
        isVerified: given.has("verify"),
      }),
  },
  {
    name: "upgrade-database",
    summary: "Bring the embedded database to the major version of the present PostgreSQL programs",
    options: {
      programs: {
        value: "FOLDER",
        description: "Programs of the version that made it; those of the system unless given",
      },
    },
    runOnInstallation: (installation, given) => upgradeDatabase(installation, { programs: given.optional("programs") }),
  },
];
