export { type AdminSurroundings, runAdmin } from "./run-admin";
