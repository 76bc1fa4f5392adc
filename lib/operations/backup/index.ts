export type { Installation } from "./installation";
export type { Output } from "./progress";
export { runBackup, runRestore } from "./run-commands";
export { upgradeDatabase } from "./upgrade-database";
