export const ROLES = ["owner", "admin", "developer", "analyst"] as const;
export type Role = (typeof ROLES)[number];

const EVERYONE = ["owner", "admin", "developer", "analyst"] as const;
const BUILDERS = ["owner", "admin", "developer"] as const;
const MANAGERS = ["owner", "admin"] as const;

type Rule = {
  roles: readonly Role[];
  /** How a refusal names it. */
  text: string;
  /** Why it takes the permission to see addresses and places, too. */
  addressesBecause?: string;
};

/** Which roles hold each permission, and what leads to addresses and is therefore for those who may see them. */
export const PERMISSIONS = {
  "workspace.read": { roles: EVERYONE, text: "see this workspace" },
  "workspace.manage": { roles: MANAGERS, text: "change the settings of this workspace" },
  "privacy.manage": { roles: ["owner"], text: "set how long visits are kept and what is logged of their readers" },
  "workspace.setPlan": { roles: [], text: "set the plan of a workspace" },
  "webApp.read": { roles: EVERYONE, text: "see Web Apps" },
  "webApp.manage": { roles: BUILDERS, text: "manage Web Apps and their origins" },
  "apiKey.read": { roles: BUILDERS, text: "see API keys" },
  "apiKey.manage": { roles: BUILDERS, text: "manage API keys" },
  "apiKey.issue": {
    roles: BUILDERS,
    text: "make API keys",
    addressesBecause: "a key reads Reports with their addresses and places",
  },
  "member.read": { roles: EVERYONE, text: "see members" },
  "member.manage": { roles: MANAGERS, text: "manage members" },
  "owner.manage": { roles: ["owner"], text: "add, change or remove owners" },
  "report.read": { roles: EVERYONE, text: "read reports" },
  "view.use": { roles: EVERYONE, text: "see and save views" },
  "view.manage": { roles: MANAGERS, text: "change views that others saved" },
  "usage.read": { roles: EVERYONE, text: "see usage" },
  "audit.read": { roles: MANAGERS, text: "read the audit log" },
  "data.export": { roles: MANAGERS, text: "export what is stored of devices and accounts" },
  "device.export": {
    roles: MANAGERS,
    text: "export what is stored of a device",
    addressesBecause: "the export holds its addresses",
  },
  "data.delete": { roles: MANAGERS, text: "delete devices and accounts" },
  "oauthClient.manage": { roles: MANAGERS, text: "manage connected clients" },
} as const satisfies Record<string, Rule>;

export type Permission = keyof typeof PERMISSIONS;

export const ruleOf = (permission: Permission): Rule => PERMISSIONS[permission];

/** What a member may do and see. A role of nothing is that of operators, who may do everything. */
export type Held = { role: Role | undefined; canSeeAddresses: boolean };

/** Whether a member may do something, by role and by what it may see. */
export const holds = ({ role, canSeeAddresses }: Held, permission: Permission): boolean =>
  role === undefined ||
  (roleHas(role, permission) && (canSeeAddresses || ruleOf(permission).addressesBecause === undefined));

/**
 * Whether a member may let somebody see addresses and places: nobody gives what they do not have. A role brings its
 * default only from somebody who has it.
 */
export const addressesGiven = (giver: Held, role: Role, asked: boolean | undefined): boolean | "refused" => {
  if (asked === true && !giver.canSeeAddresses) return "refused";
  return asked ?? (giver.canSeeAddresses && seesAddressesByDefault(role));
};

/** What a credential without a person's session may do, in its own workspace only. */
const CREDENTIAL_PERMISSIONS: readonly Permission[] = ["workspace.read", "report.read", "usage.read"];

export const roleHas = (role: Role, permission: Permission): boolean =>
  (PERMISSIONS[permission].roles as readonly Role[]).includes(role);

export const credentialHas = (permission: Permission): boolean => CREDENTIAL_PERMISSIONS.includes(permission);

/** Whether a new member of this role sees addresses and places unless somebody decides otherwise. */
export const seesAddressesByDefault = (role: Role): boolean => role === "owner" || role === "admin";
