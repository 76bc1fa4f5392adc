import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { listAudit } from "@/lib/tenancy/workspaces";
import { contextOf, createTestWorkspace, operatorContext } from "@/test/workspaces";
import { authenticateToken, listClients, revokeAllClients, revokeClient } from "./index";
import { connect, createPerson } from "@/test/oauth";

const { db } = await createTestDatabase();

const contextFor = ({ userId, email }: { userId: string; email: string }) =>
  contextOf(db, { kind: "user", userId, email, isOperator: false });

const works = async (token: string) =>
  authenticateToken(db, token).then(
    () => true,
    () => false,
  );

async function createSetup() {
  const workspaceId = await createTestWorkspace(db);
  const [owner, analyst] = [await createPerson(db, workspaceId), await createPerson(db, workspaceId, "analyst")];
  const scopes = ["svc.history.read", "svc.usage.read"];
  const ofOwner = await connect({ workspaceId, cookie: owner.cookie, scopes });
  const ofAnalyst = await connect({ workspaceId, cookie: analyst.cookie, scopes });
  return { workspaceId, owner, analyst, ofOwner, ofAnalyst };
}

test("members see their own clients, and managers all of them, with what each may do", async () => {
  const { workspaceId, owner, analyst, ofOwner, ofAnalyst } = await createSetup();
  const own = await listClients(contextFor(analyst), { workspaceId, isAll: false });
  expect(own).toMatchObject([
    {
      clientId: ofAnalyst.clientId,
      clientName: "Test client",
      redirectTarget: "localhost:9999",
      scope: "svc.history.read svc.usage.read",
      lastUsedAt: null,
      verifiedHost: null,
    },
  ]);
  await expect(listClients(contextFor(analyst), { workspaceId, isAll: true })).rejects.toMatchObject({
    code: "forbidden",
  });
  const all = await listClients(contextFor(owner), { workspaceId, isAll: true });
  expect(all.map(({ clientId }) => clientId)).toEqual([ofAnalyst.clientId, ofOwner.clientId]);
});

test("members can end only their own clients; the audit log names the client", async () => {
  const { workspaceId, analyst, ofOwner, ofAnalyst } = await createSetup();
  const all = await listClients(operatorContext(db), { workspaceId, isAll: true });
  const grantOf = (clientId: string) => all.find((each) => each.clientId === clientId)?.grantId ?? "";
  const context = contextFor(analyst);
  await expect(revokeClient(context, { workspaceId, grantId: grantOf(ofOwner.clientId) })).rejects.toMatchObject({
    code: "forbidden",
  });
  await revokeClient(context, { workspaceId, grantId: grantOf(ofAnalyst.clientId) });
  expect([await works(ofOwner.accessToken), await works(ofAnalyst.accessToken)]).toEqual([true, false]);
  const { entries } = await listAudit(operatorContext(db), { workspaceId });
  expect(entries[0]).toMatchObject({ action: "oauth_client.revoke", target: ofAnalyst.clientId });
});

test("ending one's own clients keeps those of others; ending all keeps none", async () => {
  const { workspaceId, owner, analyst, ofOwner, ofAnalyst } = await createSetup();
  expect(await revokeAllClients(contextFor(analyst), { workspaceId, isAll: false })).toEqual({ revoked: 1 });
  expect([await works(ofOwner.accessToken), await works(ofAnalyst.accessToken)]).toEqual([true, false]);
  expect(await revokeAllClients(contextFor(owner), { workspaceId, isAll: true })).toEqual({ revoked: 1 });
  expect(await works(ofOwner.accessToken)).toBe(false);
});

test("a connection of another workspace cannot be seen or ended", async () => {
  const [one, other] = [await createSetup(), await createSetup()];
  const [foreign] = await listClients(operatorContext(db), { workspaceId: other.workspaceId, isAll: true });
  const input = { workspaceId: one.workspaceId, grantId: foreign?.grantId ?? "" };
  await expect(revokeClient(contextFor(one.owner), input)).rejects.toMatchObject({ code: "not_found" });
  expect(await works(other.ofAnalyst.accessToken)).toBe(true);
});
