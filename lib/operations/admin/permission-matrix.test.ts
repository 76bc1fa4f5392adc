import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { countAccount, deleteAccount, exportAccount, exportAccountAtOnce } from "@/lib/visits/account-map";
import { listKeys } from "@/lib/tenancy/api-keys";
import type { Context } from "@/lib/platform/context";
import { deleteDevice, exportDevice, readDevice, readShadow } from "@/lib/visits/devices";
import { createDemoWorkspace, deleteDemoWorkspace } from "@/lib/operations/demo";
import { doctor, forgetSecret } from "@/lib/operations/instance";
import { newId } from "@/lib/contract/ids";
import { listClients, revokeAllClients, revokeClient } from "@/lib/interfaces/oauth";
import { createLoginLink } from "@/lib/tenancy/sign-in";
import {
  blockBuyer,
  listBlocks,
  listTrials,
  recordRefund,
  readProductState,
  readTrialTotals,
  recheckTrial,
  revokeTrial,
  showTrial,
  switchProduct,
  unblockBuyer,
} from "@/lib/trials";
import { readUnits, readUsage } from "@/lib/metering";
import { countRecentVisits, countVisitsBeyond } from "@/lib/visits/reports";
import { switchRule } from "@/lib/visits/rules";
import { deleteView, listViews, renameView, saveView } from "@/lib/tenancy/views";
import { listManagementKeys } from "@/lib/tenancy/management";
import { listDeliveries, listEndpoints } from "@/lib/tenancy/webhooks";
import {
  addOrigins,
  archiveWebApp,
  countRefusedOrigins,
  createWebApp,
  listRefusedOrigins,
  listWebApps,
  pauseWebApp,
  readWebApp,
  removeOrigin,
  renameWebApp,
  resumeWebApp,
} from "@/lib/tenancy/web-apps";
import {
  addMember,
  createWorkspace,
  exportAudit,
  inviteMember,
  listAudit,
  listInvitations,
  listMembers,
  listWorkspaces,
  readWorkspace,
  removeMember,
  renameWorkspace,
  renewInvitation,
  revokeInvitation,
  type Role,
  ROLES,
  setMemberRole,
  setPlan,
  setRetention,
  setViewLog,
} from "@/lib/tenancy/workspaces";
import { contextOf, createTestWorkspace, memberContext, operatorContext, strangerContext } from "@/test/workspaces";
import { ANALYSIS_VERBS, analysisOf } from "@/test/analysis-verbs";
import {
  createPermissionFixture,
  INTEGRATION_VERBS,
  KEY_VERBS,
  type PermissionFixture as Fixture,
  refusal,
  undoing,
} from "./testing";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

type Verb = (context: Context, fixture: Fixture) => Promise<unknown>;

const EVERYONE: readonly Role[] = ROLES;
const BUILDERS: readonly Role[] = ["owner", "admin", "developer"];
const MANAGERS: readonly Role[] = ["owner", "admin"];
/** A key can read addresses, which developers may not see by default. */
const ISSUERS = MANAGERS;
const OWNERS: readonly Role[] = ["owner"];
const NOBODY: readonly Role[] = [];

/** Every verb on a workspace, and the roles that may use it. */
const OF_WORKSPACE: readonly [string, readonly Role[], Verb][] = [
  ["readWorkspace", EVERYONE, readWorkspace],
  ["renameWorkspace", MANAGERS, (context, fixture) => renameWorkspace(context, { ...fixture, name: "New" })],
  ["setPlan", NOBODY, (context, fixture) => setPlan(context, { ...fixture, plan: "enterprise" })],
  ["setRetention", OWNERS, (context, fixture) => setRetention(context, { ...fixture, days: 30 })],
  ["setViewLog", OWNERS, (context, fixture) => setViewLog(context, { ...fixture, isOn: true })],
  ["listMembers", EVERYONE, listMembers],
  [
    "addMember",
    MANAGERS,
    (context, fixture) => addMember(context, { ...fixture, email: `${newId("user")}@example.com`, role: "developer" }),
  ],
  [
    "addMember as owner",
    OWNERS,
    (context, fixture) => addMember(context, { ...fixture, email: `${newId("user")}@example.com`, role: "owner" }),
  ],
  [
    "setMemberRole",
    MANAGERS,
    (context, fixture) => setMemberRole(context, { ...fixture, userId: fixture.memberId, role: "developer" }),
  ],
  [
    "setMemberRole to owner",
    OWNERS,
    (context, fixture) => setMemberRole(context, { ...fixture, userId: fixture.memberId, role: "owner" }),
  ],
  [
    "setMemberRole of an owner",
    OWNERS,
    (context, fixture) => setMemberRole(context, { ...fixture, userId: fixture.ownerId, role: "admin" }),
  ],
  ["listInvitations", MANAGERS, listInvitations],
  [
    "inviteMember",
    MANAGERS,
    (context, fixture) =>
      inviteMember(context, { ...fixture, email: `${newId("user")}@example.com`, role: "developer" }),
  ],
  [
    "inviteMember as owner",
    OWNERS,
    (context, fixture) => inviteMember(context, { ...fixture, email: `${newId("user")}@example.com`, role: "owner" }),
  ],
  ["renewInvitation", MANAGERS, renewInvitation],
  [
    "renewInvitation of an owner",
    OWNERS,
    (context, fixture) => renewInvitation(context, { ...fixture, invitationId: fixture.ownerInvitationId }),
  ],
  ["revokeInvitation", MANAGERS, revokeInvitation],
  [
    "revokeInvitation of an owner",
    OWNERS,
    (context, fixture) => revokeInvitation(context, { ...fixture, invitationId: fixture.ownerInvitationId }),
  ],
  ["removeMember", MANAGERS, (context, fixture) => removeMember(context, { ...fixture, userId: fixture.memberId })],
  [
    "removeMember, an owner",
    OWNERS,
    (context, fixture) => removeMember(context, { ...fixture, userId: fixture.ownerId }),
  ],
  ["listAudit", MANAGERS, listAudit],
  ["exportAudit", MANAGERS, exportAudit],
  ["exportAccount", MANAGERS, (context, fixture) => exportAccount(context, { ...fixture, accountRef: "42" })],
  [
    "exportAccountAtOnce",
    MANAGERS,
    (context, fixture) => exportAccountAtOnce(context, { ...fixture, accountRef: "42" }),
  ],
  ["exportDevice", MANAGERS, exportDevice],
  ["countAccount", MANAGERS, (context, fixture) => countAccount(context, { ...fixture, accountRef: "42" })],
  ["deleteAccount", MANAGERS, (context, fixture) => deleteAccount(context, { ...fixture, accountRef: "42" })],
  ["readUnits", EVERYONE, readUnits],
  ["readUsage", EVERYONE, readUsage],
  ["listViews", EVERYONE, listViews],
  ["saveView", EVERYONE, (context, fixture) => saveView(context, { ...fixture, name: "New", query: "risk=PASS" })],
  ["renameView of another person", MANAGERS, (context, fixture) => renameView(context, { ...fixture, name: "New" })],
  ["deleteView of another person", MANAGERS, deleteView],
  ...ANALYSIS_VERBS,
  ["listWebApps", EVERYONE, listWebApps],
  ["readWebApp", EVERYONE, readWebApp],
  ["listRefusedOrigins", EVERYONE, listRefusedOrigins],
  ["countRefusedOrigins", EVERYONE, countRefusedOrigins],
  ["countRecentVisits", EVERYONE, countRecentVisits],
  ["countVisitsBeyond", OWNERS, (context, fixture) => countVisitsBeyond(context, { ...fixture, days: 30 })],
  ["createWebApp", ISSUERS, (context, fixture) => createWebApp(context, { ...fixture, name: "New" })],
  ["renameWebApp", BUILDERS, (context, fixture) => renameWebApp(context, { ...fixture, name: "New" })],
  ["addOrigins", BUILDERS, (context, fixture) => addOrigins(context, { ...fixture, origins: ["https://b.example"] })],
  ["removeOrigin", BUILDERS, (context, fixture) => removeOrigin(context, { ...fixture, origin: "https://a.example" })],
  ["pauseWebApp", BUILDERS, pauseWebApp],
  ["resumeWebApp", BUILDERS, resumeWebApp],
  ["archiveWebApp", BUILDERS, archiveWebApp],
  ...KEY_VERBS,
  ...INTEGRATION_VERBS,
  ["readDevice", EVERYONE, readDevice],
  ["readShadow", EVERYONE, readShadow],
  ["deleteDevice", MANAGERS, deleteDevice],
  ["listClients of everybody", MANAGERS, (context, fixture) => listClients(context, { ...fixture, isAll: true })],
  ["revokeClient of another person", MANAGERS, revokeClient],
  [
    "revokeAllClients of everybody",
    MANAGERS,
    (context, fixture) => revokeAllClients(context, { ...fixture, isAll: true }),
  ],
];

const intentId = newId("intent");

/** Every verb on the instance, for operators only. */
const OF_INSTANCE: readonly [string, Verb][] = [
  ["createWorkspace", (context) => createWorkspace(context, { name: "New" })],
  ["listWorkspaces", listWorkspaces],
  ["listAudit of the instance", (context) => listAudit(context, {})],
  ["createLoginLink", (context) => createLoginLink(context, { email: "x@example.com" })],
  [
    "switchRule of the instance",
    (context) => switchRule(context, { scope: "instance", ruleId: "environment.window", mode: "enforce" }),
  ],
  ["doctor", (context) => doctor(context, { migrationsFolder: "db/migrations" })],
  ["forgetSecret", (context) => forgetSecret(context, { secretId: "auth" })],
  ["createDemoWorkspace", (context) => createDemoWorkspace(context)],
  ["deleteDemoWorkspace", deleteDemoWorkspace],
  ["listTrials", (context) => listTrials(context)],
  ["readProductState", (context) => readProductState(context)],
  ["readTrialTotals", (context) => readTrialTotals(context, { days: 1 })],
  ["showTrial", (context) => showTrial(context, { intentId })],
  ["recheckTrial", (context) => recheckTrial(context, { intentId })],
  ["revokeTrial", (context) => revokeTrial(context, { intentId })],
  ["recordRefund", (context) => recordRefund(context, { intentId, transaction: `0x${"0".repeat(64)}` })],
  ["listBlocks", listBlocks],
  ["blockBuyer", (context) => blockBuyer(context, { buyer: "https://agent.example" })],
  ["unblockBuyer", (context) => unblockBuyer(context, { buyer: "https://agent.example" })],
  ["switchProduct", (context) => switchProduct(context, { isEnabled: true })],
];

/** A workspace's complete visible state, to check that a refused call changes nothing. */
const snapshot = async (fixture: Fixture) =>
  JSON.stringify([
    await readWorkspace(operator, fixture),
    await listMembers(operator, fixture),
    await listWebApps(operator, fixture),
    await listInvitations(operator, fixture),
    await listKeys(operator, fixture),
    await listViews(operator, fixture),
    await analysisOf(operator, fixture),
    await listManagementKeys(operator, fixture),
    await listEndpoints(operator, fixture),
    await listDeliveries(operator, fixture),
    await readDevice(operator, fixture).catch(() => "gone"),
    await listClients(operator, { ...fixture, isAll: true }),
    await listAudit(operator, fixture),
  ]);

/** Shared by all calls, whose changes are rolled back. */
const guarded = await createPermissionFixture(db);
const members = await Promise.all(
  ROLES.map(async (role) => [role, await memberContext(db, guarded.workspaceId, role)] as const),
);
const untouched = await snapshot(guarded);

/** Checks that no test has changed the shared workspace; a new one for each refusal would take a minute. */
async function expectUntouched(): Promise<void> {
  expect(await snapshot(guarded)).toBe(untouched);
}

test.each(OF_WORKSPACE)(
  "%s is only for operators and the listed roles, and refused calls change nothing",
  async (_name, allowed, verb) => {
    for (const [role, context] of members.filter(([each]) => !allowed.includes(each)))
      expect([role, await refusal(verb(context, guarded))]).toEqual([role, "forbidden"]);
    await expectUntouched();
    for (const [role, context] of members.filter(([each]) => allowed.includes(each)))
      expect([role, await undoing(db, (tx) => refusal(verb({ ...context, db: tx }, guarded)))]).toEqual([
        role,
        undefined,
      ]);
  },
);

const elsewhere = await createTestWorkspace(db);
const outsiders = [
  strangerContext(db),
  await memberContext(db, elsewhere, "owner"),
  contextOf(db, { kind: "apiKey", workspaceId: elsewhere, keyId: newId("apiKey") }),
  contextOf(db, { kind: "oauthClient", workspaceId: elsewhere, clientId: "c", userId: guarded.ownerId }),
  contextOf(db, { kind: "oauthClient", workspaceId: guarded.workspaceId, clientId: "c", userId: newId("user") }),
];
const credentials = [
  contextOf(db, { kind: "apiKey", workspaceId: guarded.workspaceId, keyId: guarded.keyId }),
  contextOf(db, { kind: "oauthClient", workspaceId: guarded.workspaceId, clientId: "c", userId: guarded.ownerId }),
];

test.each(OF_WORKSPACE)(
  "to non-members, %s answers as if the workspace did not exist",
  async (_name, _allowed, verb) => {
    for (const outsider of outsiders) {
      for (const workspaceId of [guarded.workspaceId, newId("workspace")]) {
        const refused = await verb(outsider, { ...guarded, workspaceId }).catch((error: unknown) => error);
        expect(refused).toMatchObject({ code: "not_found", message: "There is no such workspace" });
      }
    }
    await expectUntouched();
  },
);

/** Verbs open to keys and connected clients. */
const READ_BY_CREDENTIALS = [
  "readWorkspace",
  "readUnits",
  "readUsage",
  "readDevice",
  "readShadow",
  "listLabels",
  "listRules",
];

test.each(OF_WORKSPACE)(
  "%s is refused to keys and connected clients, except for reads open to them",
  async (name, _allowed, verb) => {
    for (const context of credentials) {
      expect(await refusal(verb(context, guarded))).toBe(READ_BY_CREDENTIALS.includes(name) ? undefined : "forbidden");
    }
    await expectUntouched();
  },
);

test.each(OF_INSTANCE)("%s is for operators only", async (_name, verb) => {
  for (const context of [...members.map(([, member]) => member), strangerContext(db), ...credentials])
    expect(await refusal(verb(context, guarded))).toBe("forbidden");
  const asPerson = contextOf(db, { kind: "user", userId: newId("user"), email: "op@example.com", isOperator: true });
  for (const context of [operator, asPerson]) expect(await refusal(verb(context, guarded))).not.toBe("forbidden");
});
