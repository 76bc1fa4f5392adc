export { authenticateManagementKey, type ManagementPrincipal } from "./authenticate-management-key";
export { createManagementKey } from "./create-management-key";
export { listManagementKeys } from "./list-management-keys";
export { createManagedKey, listManagedKeys, revokeManagedKey, rotateManagedKey } from "./manage-keys";
export {
  addManagedOrigin,
  createManagedWebApp,
  listManagedWebApps,
  removeManagedOrigin,
  updateManagedWebApp,
} from "./manage-web-apps";
export { hasManagementKeyUnder } from "./queries";
export { revokeManagementKey } from "./revoke-management-key";
