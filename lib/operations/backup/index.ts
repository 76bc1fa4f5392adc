export { createProgress, megabytes, type Output } from "./progress";
export { whyUnwritable } from "./backup-folder";
export type { Installation } from "./installation";
export { type LastBackup, lastBackup } from "./last-backup";
export { isBackupRunning, OLDEST_TRANSACTION_SECONDS } from "./queries-snapshot";
export { runBackup, runRestore } from "./run-commands";
export { runScheduledBackup } from "./scheduled-backup";
export { upgradeDatabase } from "./upgrade-database";
