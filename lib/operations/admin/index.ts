export { type AdminDependencies, runAdmin } from "./run-admin";
