import { type PageId, pageOf } from "@/components/shell/pages";
import { type Role, ROLES, roleHas } from "@/lib/tenancy/workspaces";
import { BUILDERS, EVERYONE, ISSUERS, MANAGERS, NOBODY, OWNERS } from "@/test/roles";
import { PAGES_OF_WORKSPACE, pathBelow } from "./console-pages";

/** Pages on which every part needs more than the page's own permission. */
const PARTS: Partial<Record<PageId, readonly Role[]>> = { address: MANAGERS, network: MANAGERS, privacy: MANAGERS };

/** The roles that may see a page. */
function rolesOf(id: PageId): readonly Role[] {
  const { permission } = pageOf(id);
  if (permission === "operator") return NOBODY;
  return PARTS[id] ?? ROLES.filter((role) => roleHas(role, permission));
}

/** Pages and files of a workspace, and the roles that see their content; others see that it is restricted. */
export const READING: readonly (readonly [string, readonly Role[]])[] = [
  ...PAGES_OF_WORKSPACE.map((id) => [pathBelow(id), rolesOf(id)] as const),
  ["/reports/export?format=csv", EVERYONE],
  ["/reports/newer", EVERYONE],
  ["/usage/export", EVERYONE],
  ["/labels/export", EVERYONE],
  ["/cases/open", EVERYONE],
  ["/web-apps/names", EVERYONE],
  ["/members/names", EVERYONE],
  [`/connect/calls?since=${new Date().toISOString()}`, EVERYONE],
  ["/audit/export?format=csv", MANAGERS],
  ["/audit/export?format=json", MANAGERS],
];

const key = { keyId: `key_${"0".repeat(32)}` };
const webApp = { webAppId: `app_${"0".repeat(32)}` };
/** A user id that does not exist. */
export const USER = { userId: `usr_${"0".repeat(32)}` };
const invitation = { invitationId: `inv_${"0".repeat(32)}` };
const view = { viewId: `view_${"0".repeat(32)}` };
const device = { deviceId: `dev_${"0".repeat(32)}` };
const webhook = { endpointId: `whk_${"0".repeat(32)}` };
const investigation = { caseId: `case_${"0".repeat(32)}` };
const endpoint = { name: "Shop", eventTypes: ["visit.recorded"], webAppIds: [], statuses: [] };
const alert = {
  name: "Many",
  condition: "number",
  threshold: 9,
  windowMinutes: 60,
  mailTo: [],
  ...{ quietFrom: null, quietTo: null },
  zone: "UTC",
};
const analyst = { role: "analyst", canSeeAddresses: false };

/** Actions of a workspace, with inputs that change nobody's data, and the roles that may run them. */
export const WRITING: readonly [string, readonly Role[], Record<string, unknown>][] = [
  ["createWebAppAction", ISSUERS, { name: "Shop", origins: [] }],
  ["renameWebAppAction", BUILDERS, { ...webApp, name: "Shop" }],
  ["changeWebAppAction", BUILDERS, { ...webApp, change: "archive" }],
  ["addOriginsAction", BUILDERS, { ...webApp, origins: ["https://a.example"] }],
  ["removeOriginAction", BUILDERS, { ...webApp, origin: "https://a.example" }],
  ["createKeyAction", ISSUERS, { name: "server" }],
  ["rotateKeyAction", ISSUERS, { ...key, overlap: "0" }],
  ["extendOverlapAction", ISSUERS, { ...key, overlap: "1h" }],
  ["endOverlapAction", BUILDERS, key],
  ["revokeKeyAction", BUILDERS, key],
  ["revokeUnusedKeysAction", BUILDERS, { keyIds: [key.keyId] }],
  ["createManagementKeyAction", MANAGERS, { name: "CI", scopes: ["origins"], expiresAfterDays: 1 }],
  ["revokeManagementKeyAction", MANAGERS, { keyId: `mkey_${"0".repeat(32)}` }],
  ["createWebhookAction", BUILDERS, { ...endpoint, url: "https://a.example/" }],
  ["updateWebhookAction", BUILDERS, { ...webhook, ...endpoint, url: "https://a.example/" }],
  ["rotateWebhookSecretAction", BUILDERS, { ...webhook, overlap: "0" }],
  ["pauseWebhookAction", BUILDERS, webhook],
  ["resumeWebhookAction", BUILDERS, webhook],
  ["testWebhookAction", BUILDERS, webhook],
  ["resendWebhookAction", BUILDERS, { deliveryId: `whd_${"0".repeat(32)}` }],
  ["deleteWebhookAction", BUILDERS, webhook],
  ["setRetentionAction", OWNERS, { days: null }],
  ["setViewLogAction", OWNERS, { isOn: false }],
  ["renameWorkspaceAction", MANAGERS, { name: "Acme" }],
  ["inviteMemberAction", MANAGERS, { email: "once@example.com", ...analyst }],
  ["renewInvitationAction", MANAGERS, invitation],
  ["revokeInvitationAction", MANAGERS, invitation],
  ["setMemberRoleAction", MANAGERS, { ...USER, ...analyst }],
  ["removeMemberAction", MANAGERS, USER],
  ["readConsequencesAction", EVERYONE, { what: "webApp", ...webApp }],
  ["saveViewAction", EVERYONE, { name: "Robots", query: "risk=DECEPTIVE" }],
  ["renameViewAction", EVERYONE, { ...view, name: "Robots" }],
  ["deleteViewAction", EVERYONE, view],
  ["createAlertAction", EVERYONE, { ...view, ...alert }],
  ["updateAlertAction", EVERYONE, { ...view, ...alert, alertId: `alr_${"0".repeat(32)}` }],
  ["deleteAlertAction", EVERYONE, { alertId: `alr_${"0".repeat(32)}` }],
  ["setLabelAction", EVERYONE, { subject: device, label: null }],
  ["importLabelsAction", EVERYONE, { csv: "imprint,label" }],
  ["switchRuleAction", MANAGERS, { ruleId: "environment.window", mode: "enforce" }],
  ["openCaseAction", EVERYONE, { name: "Ring", items: [], note: "" }],
  ["addToCaseAction", EVERYONE, { ...investigation, items: [device.deviceId], note: "" }],
  ["renameCaseAction", EVERYONE, { ...investigation, name: "Ring" }],
  ["setCaseStatusAction", EVERYONE, { ...investigation, status: "closed" }],
  ["assignCaseAction", EVERYONE, { ...investigation, assigneeId: "" }],
  ["commentOnCaseAction", EVERYONE, { ...investigation, text: "Seen" }],
  ["deleteCommentAction", EVERYONE, { ...investigation, entryId: `cent_${"0".repeat(32)}` }],
  ["takeFromCaseAction", EVERYONE, { ...investigation, item: device.deviceId }],
  ["deleteCaseAction", MANAGERS, investigation],
  ["deleteDeviceAction", MANAGERS, device],
  ["exportAccountAction", MANAGERS, { accountRef: "42" }],
  ["deleteAccountAction", MANAGERS, { accountRef: "42" }],
  ["revokeAllClientsAction", MANAGERS, { isAll: true }],
];

/** Actions for operators of the instance only; `permission-matrix.test.ts` tests their verbs. */
export const OPERATOR_ACTIONS = [
  "createWorkspaceAction",
  "createDemoWorkspaceAction",
  "deleteDemoWorkspaceAction",
  "switchRuleOfInstanceAction",
  "switchMcpAction",
  "setRedirectRulesAction",
  "recheckTrialAction",
  "revokeTrialAction",
  "recordRefundAction",
  "switchProductAction",
  "blockBuyerAction",
  "unblockBuyerAction",
];

/** Actions of people on what is their own. */
export const OWN_ACTIONS = ["revokeClientAction", "endSessionAction", "endOtherSessionsAction", "unlinkProviderAction"];

/** Actions that need no session, or only that of the person concerned. */
export const OPEN_ACTIONS = [
  "explainOriginsAction",
  "joinAction",
  "completeSetupAction",
  "requestLinkAction",
  "useProviderAction",
  "signOutAction",
];
