import type { BackupSecrets } from "./manifest";
import type { Output } from "./progress";

/** The installation that backup, restore and similar commands work on. */
export type Installation = {
  dataDir: string;
  migrationsFolder: string;
  /** Version of this release. */
  version: string;
  /** Whether the database is the embedded one, in or beside `dataDir`. */
  isEmbedded: boolean;
  /** Folder of PostgreSQL programs from the settings. */
  binDir: string | undefined;
  /** Folder that paths on the command line are relative to. */
  callerFolder: string;
  /** Secrets set in the environment. */
  givenSecrets: { [N in keyof BackupSecrets]?: string | undefined };
  /**
   * Starts the database if necessary and returns its URL; it runs until the command ends. Creates the embedded database
   * if it does not exist.
   */
  openServer: () => Promise<string>;
  /** Describes how the secrets differ from those that the database was used with. */
  compareSecrets: (url: string, secrets: BackupSecrets) => Promise<string[]>;
  /**
   * Prevents the service from being started on `dataDir` until the process ends.
   *
   * @throws AppError `conflict` if it is running
   */
  claim: () => void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  output: Output;
};
