export { countAccount } from "./count-account";
export { deleteAccount } from "./delete-account";
export { exportAccount, exportAccountAtOnce } from "./export-account";
export { identifyAccount } from "./identify-account";
export { linkAccount } from "./link-account";
export { previewAccountMap } from "./preview-account-map";
export { accountKeyStore } from "./queries-keys";
export {
  authorizeAccounts,
  findAccount,
  listDeviceAccounts,
  readAccount,
  readVisitAccount,
  type VisitAccount,
} from "./read-account";
export { readAccountMap } from "./read-account-map";
