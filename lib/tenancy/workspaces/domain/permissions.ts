import type { ManagementScope } from "@/lib/contract/manage";

export const ROLES = ["owner", "admin", "developer", "analyst"] as const;
export type Role = (typeof ROLES)[number];

const EVERYONE = ["owner", "admin", "developer", "analyst"] as const;
const BUILDERS = ["owner", "admin", "developer"] as const;
const MANAGERS = ["owner", "admin"] as const;

type Rule = {
  roles: readonly Role[];
  /** The permission in error messages: "… may not TEXT". */
  text: string;
  /** Why the permission also requires access to addresses and places. */
  addressesBecause?: string;
};

/** The roles with each permission, and whether it also requires access to addresses and places. */
export const PERMISSIONS = {
  "workspace.read": { roles: EVERYONE, text: "see this workspace" },
  "workspace.manage": { roles: MANAGERS, text: "change the settings of this workspace" },
  "privacy.manage": { roles: ["owner"], text: "set the retention of visits and the logging of Report views" },
  "workspace.setPlan": { roles: [], text: "set the plan of a workspace" },
  "webApp.read": { roles: EVERYONE, text: "see Web Apps" },
  "webApp.manage": { roles: BUILDERS, text: "manage Web Apps" },
  "origin.manage": { roles: BUILDERS, text: "manage the origins of Web Apps" },
  "apiKey.read": { roles: BUILDERS, text: "see API keys" },
  "apiKey.manage": { roles: BUILDERS, text: "manage API keys" },
  "apiKey.issue": {
    roles: BUILDERS,
    text: "create API keys",
    addressesBecause: "a key reads Reports with their addresses and places",
  },
  "managementKey.read": { roles: BUILDERS, text: "see management keys" },
  "managementKey.manage": { roles: MANAGERS, text: "create and revoke management keys" },
  "webhook.read": { roles: BUILDERS, text: "see webhooks and their deliveries" },
  "webhook.manage": { roles: BUILDERS, text: "manage webhooks" },
  "member.read": { roles: EVERYONE, text: "see members" },
  "member.manage": { roles: MANAGERS, text: "manage members" },
  "owner.manage": { roles: ["owner"], text: "add, change or remove owners" },
  "report.read": { roles: EVERYONE, text: "read reports" },
  "label.use": { roles: EVERYONE, text: "label visits, devices and accounts" },
  "rule.manage": { roles: MANAGERS, text: "switch rules to observe" },
  "alert.manage": { roles: EVERYONE, text: "manage alerts" },
  "view.use": { roles: EVERYONE, text: "see and save views" },
  "view.manage": { roles: MANAGERS, text: "change views saved by others" },
  "case.read": { roles: EVERYONE, text: "see cases" },
  "case.write": { roles: EVERYONE, text: "create and change cases" },
  "case.delete": { roles: MANAGERS, text: "delete cases and comments of others" },
  "evidence.export": { roles: EVERYONE, text: "export evidence" },
  "usage.read": { roles: EVERYONE, text: "see usage" },
  "audit.read": { roles: MANAGERS, text: "read the audit log" },
  "data.export": { roles: MANAGERS, text: "export the stored data of devices and accounts" },
  "device.export": {
    roles: MANAGERS,
    text: "export the stored data of a device",
    addressesBecause: "the export contains its addresses",
  },
  "data.delete": { roles: MANAGERS, text: "delete devices and accounts" },
  "oauthClient.manage": { roles: MANAGERS, text: "manage connected clients" },
} as const satisfies Record<string, Rule>;

export type Permission = keyof typeof PERMISSIONS;

export const ruleOf = (permission: Permission): Rule => PERMISSIONS[permission];

/** The rights of a member. Operators may do everything and have no role. */
export type Held = { role: Role | undefined; canSeeAddresses: boolean };

export const holds = ({ role, canSeeAddresses }: Held, permission: Permission): boolean =>
  role === undefined ||
  (roleHas(role, permission) && (canSeeAddresses || ruleOf(permission).addressesBecause === undefined));

/**
 * Whether a new or changed member sees addresses and places. Only members with that access can grant it, even as a role's
 * default.
 */
export const addressesGiven = (giver: Held, role: Role, asked: boolean | undefined): boolean | "refused" => {
  if (asked === true && !giver.canSeeAddresses) return "refused";
  return asked ?? (giver.canSeeAddresses && seesAddressesByDefault(role));
};

/** Permissions of credentials that act without a user session, in their own workspace only. */
const CREDENTIAL_PERMISSIONS: readonly Permission[] = ["workspace.read", "report.read", "usage.read"];

/** Permissions of a management key in its own workspace, by scope. */
const SCOPE_PERMISSIONS: Record<ManagementScope, readonly Permission[]> = {
  web_apps: ["webApp.read", "webApp.manage"],
  origins: ["webApp.read", "origin.manage"],
  keys: ["apiKey.read", "apiKey.manage", "apiKey.issue"],
  labels: ["label.use"],
};

export const scopesHave = (scopes: readonly ManagementScope[], permission: Permission): boolean =>
  scopes.some((scope) => SCOPE_PERMISSIONS[scope].includes(permission));

export const roleHas = (role: Role, permission: Permission): boolean =>
  (PERMISSIONS[permission].roles as readonly Role[]).includes(role);

export const credentialHas = (permission: Permission): boolean => CREDENTIAL_PERMISSIONS.includes(permission);

/** Whether a new member of this role sees addresses and places by default. */
const seesAddressesByDefault = (role: Role): boolean => role === "owner" || role === "admin";
