export type { SchemaUse } from "./command";
export { type AdminDependencies, runAdmin } from "./run-admin";
