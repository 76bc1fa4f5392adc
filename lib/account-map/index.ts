export { deleteAccount } from "./delete-account";
export { exportAccount } from "./export-account";
export { identifyAccount } from "./identify-account";
export { linkAccount } from "./link-account";
export { type Account, linkTogether } from "./queries";
export { accountKeyStore } from "./queries-keys";
export { readAccountMap } from "./read-account-map";
