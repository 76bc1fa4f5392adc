import { type Role, ROLES } from "@/lib/tenancy/workspaces";

/** The roles that tests expect to have a permission. They are independent of the table that the service uses. */
export const EVERYONE: readonly Role[] = ROLES;
export const BUILDERS: readonly Role[] = ["owner", "admin", "developer"];
export const MANAGERS: readonly Role[] = ["owner", "admin"];
/** A key can read addresses, which developers may not see by default. */
export const ISSUERS: readonly Role[] = ["owner", "admin"];
export const OWNERS: readonly Role[] = ["owner"];
export const NOBODY: readonly Role[] = [];
