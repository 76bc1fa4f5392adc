export type { SchemaUse } from "./command";
export { runAdmin } from "./run-admin";
export { openStandardOutput } from "./standard-output";
