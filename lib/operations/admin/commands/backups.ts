import { runBackup, runRestore, upgradeDatabase } from "@/lib/operations/backup";
import type { Command } from "../command";

const identityOption = {
  value: "FILE",
  description: "age identity file, for a backup encrypted with BACKUP_RECIPIENTS",
};

export const backupCommands: readonly Command[] = [
  {
    name: "backup",
    summary: "Write a backup of everything while the service runs: database and secrets, encrypted",
    options: {
      to: { value: "FILE", description: "New file, or a folder; default BACKUP_DIR" },
      verify: { description: "Read the whole backup back and check each table's hash" },
      from: { value: "FILE", description: "With --verify: check this backup instead of writing one" },
      identity: identityOption,
      unencrypted: {
        description: "Do not encrypt: anyone who can read the file has everything",
      },
      "full-speed": {
        description:
          "On a machine with up to three cores, do not pause for the service, which answers slower meanwhile",
      },
    },
    interruptionNotice: "No backup was written.",
    runOnInstallation: (installation, given) =>
      runBackup(installation, {
        to: given.optional("to"),
        from: given.optional("from"),
        identity: given.optional("identity"),
        isVerified: given.has("verify"),
        isUnencrypted: given.has("unencrypted"),
        isAtFullSpeed: given.has("full-speed"),
      }),
  },
  {
    name: "restore",
    summary: "Restore a backup of this or an earlier release into an empty installation",
    options: {
      from: { value: "FILE", description: "Backup", isRequired: true },
      verify: { description: "Read the restored tables back and compare their hashes with the backup" },
      identity: identityOption,
    },
    interruptionNotice: "A backup is restored as a whole or not at all. Run the command again.",
    runOnInstallation: (installation, given, { ifInterrupted }) =>
      runRestore(installation, {
        from: given.text("from"),
        identity: given.optional("identity"),
        isVerified: given.has("verify"),
        onCommitted() {
          ifInterrupted(
            given.has("verify")
              ? "The whole backup is restored, but the tables were not all compared with it. Start the service."
              : "The whole backup is restored. Start the service.",
          );
        },
      }),
  },
  {
    name: "upgrade-database",
    summary: "Upgrade the embedded database to the major version of the current PostgreSQL programs",
    options: {
      programs: {
        value: "FOLDER",
        description: "PostgreSQL programs of the version that created the database; default: the system's",
      },
    },
    interruptionNotice: "The old database is unchanged. Run the command again.",
    runOnInstallation: (installation, given) => upgradeDatabase(installation, { programs: given.optional("programs") }),
  },
];
