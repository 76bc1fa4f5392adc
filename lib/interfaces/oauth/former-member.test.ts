import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { addMember, removeMember } from "@/lib/tenancy/workspaces";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { authenticateToken, listClients } from "./index";
import { connect, createPerson, refresh } from "@/test/oauth";

const { db } = await createTestDatabase();
const workspaceId = await createTestWorkspace(db);

test("a refresh by the client of a former member is refused and ends its connection, which does not return with the member", async () => {
  const { userId, email, cookie } = await createPerson(db, workspaceId, "admin");
  const { clientId, accessToken, refreshToken } = await connect({ workspaceId, cookie });
  await removeMember(operatorContext(db), { workspaceId, userId });
  expect((await refresh(clientId, refreshToken)).status).toBe(400);
  expect(await listClients(operatorContext(db), { workspaceId, isAll: true })).toEqual([]);
  await addMember(operatorContext(db), { workspaceId, email, role: "analyst" });
  await expect(authenticateToken(db, accessToken)).rejects.toMatchObject({ code: "auth_failed" });
  expect((await refresh(clientId, refreshToken)).status).toBe(400);
});
