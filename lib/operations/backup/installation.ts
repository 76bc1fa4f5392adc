import type { BackupSecrets } from "./manifest";
import type { Output } from "./progress";

/** What the commands on whole installations work on. */
export type Installation = {
  dataDir: string;
  migrationsFolder: string;
  /** Of this release. */
  version: string;
  /** Whether the database is the embedded one, in or beside `dataDir`. */
  isEmbedded: boolean;
  /** Programs of PostgreSQL that the settings name. */
  binDir: string | undefined;
  /** What paths on the command line are relative to. */
  callerFolder: string;
  /** Secrets that the environment gives. */
  givenSecrets: { [N in keyof BackupSecrets]?: string | undefined };
  /** The address of the database, which runs until the command ends; the embedded one is made if it does not exist. */
  openServer: () => Promise<string>;
  /** How the secrets differ from those that the database was used with. */
  compareSecrets: (url: string, secrets: BackupSecrets) => Promise<string[]>;
  /**
   * Keeps the service from being started on `dataDir` until the process ends.
   *
   * @throws AppError `conflict` when it runs
   */
  claim: () => void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  output: Output;
};
