import type { Database, Db } from "@/db/client";
import {
  countRecentCalls,
  createKey,
  endOverlap,
  extendOverlap,
  listFailingKeys,
  listKeys,
  readKeyUses,
  revokeKey,
  revokeUnusedKeys,
  rotateKey,
} from "@/lib/tenancy/api-keys";
import { insertTestDevice } from "@/test/devices";
import { newId } from "@/lib/contract/ids";
import { insertConnection } from "@/lib/interfaces/oauth/queries";
import type { Context } from "@/lib/platform/context";
import { createManagementKey, listManagementKeys, revokeManagementKey } from "@/lib/tenancy/management";
import {
  createEndpoint,
  deleteEndpoint,
  listDeliveries,
  listEndpoints,
  pauseEndpoint,
  readDelivery,
  readEndpoint,
  resendDelivery,
  resumeEndpoint,
  rotateSecret,
  sendTestEvent,
  updateEndpoint,
} from "@/lib/tenancy/webhooks";
import { endTestDelivery } from "@/lib/tenancy/webhooks/testing";
import { saveView } from "@/lib/tenancy/views";
import { createAlert } from "@/lib/visits/alerts";
import { createWebApp } from "@/lib/tenancy/web-apps";
import { inviteMember, type Role } from "@/lib/tenancy/workspaces";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";

/** A workspace with a resource of each kind. */
export async function createPermissionFixture(db: Database) {
  const operator = operatorContext(db);
  const workspaceId = await createTestWorkspace(db);
  await memberContext(db, workspaceId, "owner");
  const other = await memberContext(db, workspaceId, "analyst");
  const owner = await memberContext(db, workspaceId, "owner");
  const { webAppId } = await createWebApp(operator, { workspaceId, name: "Shop", origins: ["https://a.example"] });
  const { keyId } = await createKey(operator, { workspaceId, name: "server" });
  const replaced = await createKey(operator, { workspaceId, name: "replaced" });
  await rotateKey(operator, { workspaceId, keyId: replaced.keyId });
  const invited = await inviteMember(operator, { workspaceId, email: "new@example.com", role: "analyst" });
  const invitedOwner = await inviteMember(operator, { workspaceId, email: "boss@example.com", role: "owner" });
  const grantId = newId("audit");
  await insertConnection(db, {
    workspaceId,
    grantId,
    userId: other.actor.userId,
    clientId: "client",
    clientName: "Client",
    redirectTarget: "localhost",
    scope: "svc.usage.read",
  });
  const view = await saveView(operator, { workspaceId, name: "Robots", query: "risk=DECEPTIVE" });
  const { alertId } = await createAlert(operator, {
    ...{ workspaceId, viewId: view.viewId, name: "Many robots", condition: "number", threshold: 9, windowMinutes: 60 },
    mailTo: [],
  });
  const { endpointId } = await createEndpoint(operator, {
    workspaceId,
    name: "Events",
    url: "https://a.example/events",
    eventTypes: ["visit.recorded"],
  });
  const management = await createManagementKey(operator, { workspaceId, name: "CI", scopes: ["origins"] });
  const { deliveryId } = await sendTestEvent(operator, { workspaceId, endpointId });
  await endTestDelivery(db, workspaceId, deliveryId);
  return {
    workspaceId,
    managementKeyId: management.keyId,
    endpointId,
    deliveryId,
    webAppId,
    grantId,
    viewId: view.viewId,
    alertId,
    keyId,
    replacedKeyId: replaced.keyId,
    deviceId: await insertTestDevice(db, workspaceId),
    invitationId: invited.invitationId,
    ownerInvitationId: invitedOwner.invitationId,
    memberId: other.actor.userId,
    ownerId: owner.actor.userId,
  };
}

export type PermissionFixture = Awaited<ReturnType<typeof createPermissionFixture>>;

/** The error code of a refused call; undefined if it is allowed. */
export async function refusal(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error ? error.code : error;
  }
}

/** Runs `work` and rolls its changes back; returns its result. */
export async function undoing<T>(db: Database, work: (tx: Db) => Promise<T>): Promise<T> {
  const results: T[] = [];
  const undone = new Error("undone");
  const transaction = db.transaction(async (tx) => {
    results.push(await work(tx));
    throw undone;
  });
  const [result] = await transaction.catch((error: unknown) => {
    if (error !== undone) throw error;
    return results;
  });
  return result as T; // safe: `work` has completed
}

const BUILDERS: readonly Role[] = ["owner", "admin", "developer"];
const MANAGERS: readonly Role[] = ["owner", "admin"];
const ENDPOINT = { name: "New", url: "https://a.example/events", eventTypes: ["visit.recorded"] };

type Verb = (context: Context, fixture: PermissionFixture) => Promise<unknown>;

/** A key can read addresses, which developers may not see by default. */
const ISSUERS = MANAGERS;

/** Verbs on API keys, and the roles that may use them. */
export const KEY_VERBS: readonly [string, readonly Role[], Verb][] = [
  ["listKeys", BUILDERS, listKeys],
  ["readKeyUses", BUILDERS, readKeyUses],
  ["countRecentCalls", BUILDERS, countRecentCalls],
  ["listFailingKeys", BUILDERS, listFailingKeys],
  ["createKey", ISSUERS, (context, fixture) => createKey(context, { ...fixture, name: "new" })],
  ["rotateKey", ISSUERS, rotateKey],
  ["endOverlap", BUILDERS, (context, fixture) => endOverlap(context, { ...fixture, keyId: fixture.replacedKeyId })],
  [
    "extendOverlap",
    ISSUERS,
    (context, fixture) => extendOverlap(context, { ...fixture, keyId: fixture.replacedKeyId, overlap: "7d" }),
  ],
  ["revokeKey", BUILDERS, revokeKey],
  [
    "revokeUnusedKeys",
    BUILDERS,
    (context, { workspaceId, keyId }) => revokeUnusedKeys(context, { workspaceId, keyIds: [keyId] }),
  ],
];

/** Verbs on webhooks and management keys, and the roles that may use them. */
export const INTEGRATION_VERBS: readonly [string, readonly Role[], Verb][] = [
  ["listEndpoints", BUILDERS, listEndpoints],
  ["readEndpoint", BUILDERS, readEndpoint],
  ["createEndpoint", BUILDERS, (context, fixture) => createEndpoint(context, { ...fixture, ...ENDPOINT })],
  [
    "createEndpoint for trials of the instance",
    [],
    (context, fixture) => createEndpoint(context, { ...fixture, ...ENDPOINT, eventTypes: ["trial.activated"] }),
  ],
  ["updateEndpoint", BUILDERS, (context, fixture) => updateEndpoint(context, { ...fixture, name: "New" })],
  ["pauseEndpoint", BUILDERS, pauseEndpoint],
  ["resumeEndpoint", BUILDERS, resumeEndpoint],
  ["rotateSecret", BUILDERS, rotateSecret],
  ["sendTestEvent", BUILDERS, sendTestEvent],
  ["listDeliveries", BUILDERS, listDeliveries],
  ["readDelivery", BUILDERS, readDelivery],
  ["resendDelivery", BUILDERS, resendDelivery],
  ["deleteEndpoint", BUILDERS, deleteEndpoint],
  ["listManagementKeys", BUILDERS, listManagementKeys],
  [
    "createManagementKey",
    MANAGERS,
    (context, fixture) => createManagementKey(context, { ...fixture, name: "CI", scopes: ["origins"] }),
  ],
  [
    "revokeManagementKey",
    MANAGERS,
    (context, fixture) => revokeManagementKey(context, { ...fixture, keyId: fixture.managementKeyId }),
  ],
];
