import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { newId } from "@/lib/contract/ids";
import { listClients, readMcpPolicy, setRedirectRules, switchMcp } from "@/lib/interfaces/oauth";
import { createDemoWorkspace, deleteDemoWorkspace } from "@/lib/operations/demo";
import { doctor, forgetSecret } from "@/lib/operations/instance";
import type { Context } from "@/lib/platform/context";
import { listKeys } from "@/lib/tenancy/api-keys";
import { readCase } from "@/lib/tenancy/cases";
import { listManagementKeys } from "@/lib/tenancy/management";
import {
  createLoginLink,
  endOtherSessions,
  endSession,
  listLinkedProviders,
  listSessions,
  unlinkProvider,
} from "@/lib/tenancy/sign-in";
import { listViews } from "@/lib/tenancy/views";
import { listWebApps } from "@/lib/tenancy/web-apps";
import { listDeliveries, listEndpoints } from "@/lib/tenancy/webhooks";
import {
  createWorkspace,
  listAudit,
  listInvitations,
  listMembers,
  listWorkspaces,
  readWorkspace,
  ROLES,
} from "@/lib/tenancy/workspaces";
import {
  blockBuyer,
  listBlocks,
  listTrials,
  readProductState,
  readTrialTotals,
  recheckTrial,
  recordRefund,
  revokeTrial,
  showTrial,
  switchProduct,
  unblockBuyer,
} from "@/lib/trials";
import { readDevice } from "@/lib/visits/devices";
import { switchRule } from "@/lib/visits/rules";
import { createTestDatabase } from "@/test/database";
import { ANALYSIS_VERBS, analysisOf } from "@/test/permissions/analysis-verbs";
import { CASE_VERBS } from "@/test/permissions/case-verbs";
import {
  createPermissionFixture,
  type PermissionFixture as Fixture,
  refusal,
  undoing,
  type Verb,
} from "@/test/permissions/fixture";
import { INTEGRATION_VERBS, KEY_VERBS } from "@/test/permissions/integration-verbs";
import { VISIT_READS, VISIT_VERBS } from "@/test/permissions/visit-verbs";
import { WORKSPACE_VERBS } from "@/test/permissions/workspace-verbs";
import { contextOf, createTestWorkspace, memberContext, operatorContext, strangerContext } from "@/test/workspaces";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

/** Every verb on a workspace, and the roles that may use it. */
const OF_WORKSPACE = [
  ...VISIT_READS,
  ...VISIT_VERBS,
  ...WORKSPACE_VERBS,
  ...ANALYSIS_VERBS,
  ...KEY_VERBS,
  ...INTEGRATION_VERBS,
  ...CASE_VERBS,
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
  ["readMcpPolicy", readMcpPolicy],
  ["switchMcp", (context) => switchMcp(context, { isEnabled: true })],
  ["setRedirectRules", (context) => setRedirectRules(context, { rules: [] })],
];

/** Every verb on a person's own sessions and sign-in methods. */
const OF_PERSON: readonly [string, (context: Context, person: { userId: string }) => Promise<unknown>][] = [
  ["listSessions", listSessions],
  ["endSession", (context, person) => endSession(context, { ...person, sessionId: newId("session") })],
  ["endOtherSessions", endOtherSessions],
  ["listLinkedProviders", listLinkedProviders],
  ["unlinkProvider", (context, person) => unlinkProvider(context, { ...person, provider: "google" })],
];

const MANAGED = [
  ...["listManagedKeys", "createManagedKey", "rotateManagedKey", "revokeManagedKey", "setManagedLabel"],
  ...["listManagedWebApps", "createManagedWebApp", "updateManagedWebApp", "addManagedOrigin", "removeManagedOrigin"],
];

/** Verbs that belong to no table above. */
const EXEMPT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(MANAGED.map((verb) => [verb, "calls a verb of these tables for a management key"])),
  activateIntent: "for buyers, who have no account",
  buyTrial: "for buyers, who have no account",
  readIntent: "for buyers, who have no account",
  issueChallenge: "for visitors of a site",
  submitImprint: "for visitors of a site",
  readProxyKey: "derives a secret of the API key that asks for it",
  readConsent: "shows a person's own request at the authorization server",
  labelsOfVisits: "part of other verbs, which check the permission",
};

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
    await readCase(operator, fixture),
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

const OPEN_TO_CREDENTIALS = new Set(VISIT_READS.map(([name]) => name));

test.each(OF_WORKSPACE)(
  "%s is refused to keys and connected clients, except for reads open to them",
  async (name, _allowed, verb) => {
    for (const context of credentials) {
      if (OPEN_TO_CREDENTIALS.has(name))
        expect(await undoing(db, (tx) => refusal(verb({ ...context, db: tx }, guarded)))).toBeUndefined();
      else expect(await refusal(verb(context, guarded))).toBe("forbidden");
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

test.each(OF_PERSON)("%s is for the person concerned and for operators only", async (_name, verb) => {
  const self = await memberContext(db, guarded.workspaceId, "analyst");
  const { userId } = self.actor;
  for (const context of [...members.map(([, member]) => member), strangerContext(db), ...credentials])
    expect(await refusal(verb(context, { userId }))).toBe("forbidden");
  for (const context of [operator, self]) expect(await refusal(verb(context, { userId }))).not.toBe("forbidden");
});

/** Matches an exported function whose first argument is a context. */
const VERB = /^export (?:async )?(?:function\*? (\w+)|const (\w+) =(?: async)?) ?\(\s*(?:\w+|\{[^}]*\}): Context\b/gm;

/** The verbs that features export: what a page, a command, a tool or a route may call. */
function readVerbs(): string[] {
  const isSource = (file: string) => file.endsWith(".ts") && !/\.test\.ts$|\/testing\.ts$/.test(file);
  const files = ["tenancy", "metering", "trials", "visits", "interfaces"].flatMap((layer) =>
    readdirSync(`lib/${layer}`, { recursive: true, encoding: "utf8" }).map((file) => `lib/${layer}/${file}`),
  );
  return files.filter(isSource).flatMap((file) => {
    const index = join(dirname(file), "index.ts");
    const exported = existsSync(index) ? readFileSync(index, "utf8") : "";
    const verbs = [...readFileSync(file, "utf8").matchAll(VERB)].map(([, one, other = ""]) => one ?? other);
    return verbs.filter((verb) => new RegExp(`\\b${verb}\\b`).test(exported));
  });
}

test("every verb that a feature exports is in one of these tables", () => {
  const verbs = readVerbs();
  const tested = [...OF_WORKSPACE, ...OF_INSTANCE, ...OF_PERSON].map(([name]) => /^\w+/.exec(name)?.[0] ?? "");
  const listed = new Set([...tested, ...Object.keys(EXEMPT)]);
  expect(verbs.filter((verb) => !listed.has(verb))).toEqual([]);
  // Also that the expression above finds verbs at all.
  expect(verbs.length).toBeGreaterThan(150);
  expect(Object.keys(EXEMPT).filter((verb) => !verbs.includes(verb))).toEqual([]);
});
