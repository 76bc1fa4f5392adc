import type { Database, Db } from "@/db/client";
import { createKey, rotateKey } from "@/lib/tenancy/api-keys";
import { commentOnCase, createCase, readCase } from "@/lib/tenancy/cases";
import { newId, uuidToId } from "@/lib/contract/ids";
import { insertConnection } from "@/lib/interfaces/oauth/queries";
import type { Context } from "@/lib/platform/context";
import { createManagementKey } from "@/lib/tenancy/management";
import { createEndpoint, sendTestEvent } from "@/lib/tenancy/webhooks";
import { endTestDelivery } from "@/test/webhooks";
import { saveView } from "@/lib/tenancy/views";
import { createAlert } from "@/lib/visits/alerts";
import { createWebApp } from "@/lib/tenancy/web-apps";
import { inviteMember, type Role } from "@/lib/tenancy/workspaces";
import { identifyAccount, linkAccount } from "@/lib/visits/account-map";
import { addToCase } from "@/lib/visits/investigation";
import { storeVisits } from "@/lib/visits/visit-store";
import { makeVisitToStore } from "@/test/visits-to-store";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";

/** Two visits of new devices, the first one with an account. */
async function createVisits(db: Database, { workspaceId, webAppId }: { workspaceId: string; webAppId: string }) {
  const made = () => makeVisitToStore({ workspaceId, webAppId, origin: "https://a.example" });
  const [first, other] = [made(), made()];
  await storeVisits(db, [first, other], new Date());
  const account = await identifyAccount(db, workspaceId, "42");
  const imprint = first.visit.eventId;
  await linkAccount(db, account, imprint);
  return {
    imprint,
    otherImprint: other.visit.eventId,
    deviceId: first.device.recognition.newDeviceId,
    accountId: uuidToId("account", Buffer.from(account.hash).toString("hex")),
  };
}

/** A case of the operator with a device and a comment. */
async function createInvestigation(db: Database, { workspaceId, deviceId }: { workspaceId: string; deviceId: string }) {
  const operator = operatorContext(db);
  const { caseId } = await createCase(operator, { workspaceId, name: "Ring" });
  await addToCase(operator, { workspaceId, caseId, items: [deviceId] });
  await commentOnCase(operator, { workspaceId, caseId, text: "Look at this" });
  const [comment] = (await readCase(operator, { workspaceId, caseId })).entries;
  return { caseId, entryId: comment?.entryId ?? "" };
}

/** A workspace with a resource of each kind. */
export async function createPermissionFixture(db: Database) {
  const operator = operatorContext(db);
  const workspaceId = await createTestWorkspace(db);
  await memberContext(db, workspaceId, "owner");
  const other = await memberContext(db, workspaceId, "analyst");
  const owner = await memberContext(db, workspaceId, "owner");
  const { webAppId } = await createWebApp(operator, { workspaceId, name: "Shop", origins: ["https://a.example"] });
  const visits = await createVisits(db, { workspaceId, webAppId });
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
    ...visits,
    ...(await createInvestigation(db, { workspaceId, ...visits })),
    invitationId: invited.invitationId,
    ownerInvitationId: invitedOwner.invitationId,
    memberId: other.actor.userId,
    ownerId: owner.actor.userId,
  };
}

export type PermissionFixture = Awaited<ReturnType<typeof createPermissionFixture>>;
export type Verb = (context: Context, fixture: PermissionFixture) => Promise<unknown>;

/** Verbs on a workspace with the roles that may use them. A name may continue after the verb's, to tell cases apart. */
export type PermittedVerbs = readonly [name: string, roles: readonly Role[], verb: Verb][];

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
