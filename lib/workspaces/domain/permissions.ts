export const ROLES = ["owner", "admin", "developer", "analyst"] as const;
export type Role = (typeof ROLES)[number];

const EVERYONE = ["owner", "admin", "developer", "analyst"] as const;
const BUILDERS = ["owner", "admin", "developer"] as const;
const MANAGERS = ["owner", "admin"] as const;

/** Which roles hold each permission, and how a refusal names it. */
export const PERMISSIONS = {
  "workspace.read": { roles: EVERYONE, text: "see this workspace" },
  "workspace.manage": { roles: MANAGERS, text: "change the settings of this workspace" },
  "privacy.manage": { roles: ["owner"], text: "set how long visits are kept and what is logged of their readers" },
  "workspace.setPlan": { roles: [], text: "set the plan of a workspace" },
  "webApp.read": { roles: EVERYONE, text: "see Web Apps" },
  "webApp.manage": { roles: BUILDERS, text: "manage Web Apps and their origins" },
  "apiKey.read": { roles: BUILDERS, text: "see API keys" },
  "apiKey.manage": { roles: BUILDERS, text: "manage API keys" },
  "member.read": { roles: EVERYONE, text: "see members" },
  "member.manage": { roles: MANAGERS, text: "manage members" },
  "owner.manage": { roles: ["owner"], text: "add, change or remove owners" },
  "report.read": { roles: EVERYONE, text: "read reports" },
  "view.use": { roles: EVERYONE, text: "see and save views" },
  "view.manage": { roles: MANAGERS, text: "change views that others saved" },
  "usage.read": { roles: EVERYONE, text: "see usage" },
  "audit.read": { roles: MANAGERS, text: "read the audit log" },
  "data.export": { roles: MANAGERS, text: "export what is stored of devices and accounts" },
  "data.delete": { roles: MANAGERS, text: "delete devices and accounts" },
  "oauthClient.manage": { roles: MANAGERS, text: "manage connected clients" },
} as const satisfies Record<string, { roles: readonly Role[]; text: string }>;

export type Permission = keyof typeof PERMISSIONS;

/** What a credential without a person's session may do, in its own workspace only. */
const CREDENTIAL_PERMISSIONS: readonly Permission[] = ["workspace.read", "report.read", "usage.read"];

export const roleHas = (role: Role, permission: Permission): boolean =>
  (PERMISSIONS[permission].roles as readonly Role[]).includes(role);

export const credentialHas = (permission: Permission): boolean => CREDENTIAL_PERMISSIONS.includes(permission);

/** Whether a new member of this role sees addresses and places unless somebody decides otherwise. */
export const seesAddressesByDefault = (role: Role): boolean => role === "owner" || role === "admin";
