import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { newId } from "@/lib/contract/ids";
import {
  addMember,
  listAudit,
  listMembers,
  listWorkspacesOf,
  readWorkspace,
  removeMember,
  renameWorkspace,
  setMemberRole,
  setPlan,
} from "./index";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

test("a new address becomes one user, regardless of case, who can be a member of several workspaces", async () => {
  const [first, second] = [await createTestWorkspace(db), await createTestWorkspace(db)];
  const email = `${newId("user")}@Example.com`;
  const added = await addMember(operator, { workspaceId: first, email, role: "developer" });
  const again = await addMember(operator, { workspaceId: second, email: email.toUpperCase(), role: "analyst" });
  expect(again.userId).toBe(added.userId);
  expect(added.email).toBe(email.toLowerCase());
  expect(await listWorkspacesOf(operator, added)).toMatchObject([
    { role: expect.any(String) as string },
    { role: expect.any(String) as string },
  ]);
  await expect(addMember(operator, { workspaceId: first, email, role: "owner" })).rejects.toMatchObject({
    code: "conflict",
  });
});

test("one new person added concurrently becomes one user and one member", async () => {
  const workspaceId = await createTestWorkspace(db);
  const email = `${newId("user")}@example.com`;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => addMember(operator, { workspaceId, email, role: "analyst" })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await listMembers(operator, { workspaceId })).toHaveLength(1);
});

test("owners and admins see addresses by default; a new role brings its own default", async () => {
  const workspaceId = await createTestWorkspace(db);
  const admin = await memberContext(db, workspaceId, "admin");
  expect(await readWorkspace(admin, { workspaceId })).toMatchObject({ role: "admin", canSeeAddresses: true });
  await setMemberRole(operator, { workspaceId, userId: admin.actor.userId, role: "analyst" });
  expect(await readWorkspace(admin, { workspaceId })).toMatchObject({ role: "analyst", canSeeAddresses: false });
  await setMemberRole(operator, { workspaceId, userId: admin.actor.userId, role: "analyst", canSeeAddresses: true });
  expect(await readWorkspace(admin, { workspaceId })).toMatchObject({ canSeeAddresses: true });
});

test("the last owner can neither leave nor be demoted", async () => {
  const workspaceId = await createTestWorkspace(db);
  const owner = await memberContext(db, workspaceId, "owner");
  const input = { workspaceId, userId: owner.actor.userId };
  for (const context of [owner, operator]) {
    await expect(removeMember(context, input)).rejects.toMatchObject({ code: "conflict" });
    await expect(setMemberRole(context, { ...input, role: "admin" })).rejects.toMatchObject({ code: "conflict" });
  }
});

test("if all owners leave concurrently, one stays", async () => {
  for (let round = 0; round < 5; round += 1) {
    const workspaceId = await createTestWorkspace(db);
    const owners = await Promise.all(["owner", "owner", "owner"].map(() => memberContext(db, workspaceId, "owner")));
    const outcomes = await Promise.allSettled(
      owners.map((owner, index) => {
        const input = { workspaceId, userId: owner.actor.userId };
        return index === 0 ? setMemberRole(owner, { ...input, role: "analyst" }) : removeMember(owner, input);
      }),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect((await listMembers(operator, { workspaceId })).filter(({ role }) => role === "owner")).toHaveLength(1);
  }
});

test("an admin manages members but not owners; anyone may leave", async () => {
  const workspaceId = await createTestWorkspace(db);
  const [owner, admin, analyst] = [
    await memberContext(db, workspaceId, "owner"),
    await memberContext(db, workspaceId, "admin"),
    await memberContext(db, workspaceId, "analyst"),
  ];
  await memberContext(db, workspaceId, "owner");
  const forbidden = { code: "forbidden" };
  await expect(addMember(admin, { workspaceId, email: "new@example.com", role: "owner" })).rejects.toMatchObject(
    forbidden,
  );
  await expect(setMemberRole(admin, { workspaceId, userId: admin.actor.userId, role: "owner" })).rejects.toMatchObject(
    forbidden,
  );
  await expect(
    setMemberRole(admin, { workspaceId, userId: owner.actor.userId, role: "analyst" }),
  ).rejects.toMatchObject(forbidden);
  await expect(removeMember(admin, { workspaceId, userId: owner.actor.userId })).rejects.toMatchObject(forbidden);
  await expect(removeMember(analyst, { workspaceId, userId: admin.actor.userId })).rejects.toMatchObject(forbidden);
  await setMemberRole(admin, { workspaceId, userId: analyst.actor.userId, role: "developer" });
  await removeMember(analyst, { workspaceId, userId: analyst.actor.userId });
  await expect(readWorkspace(analyst, { workspaceId })).rejects.toMatchObject({ code: "not_found" });
  await expect(removeMember(admin, { workspaceId, userId: analyst.actor.userId })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("the audit log lists each change, newest first, and pages without gaps or repetitions", async () => {
  const workspaceId = await createTestWorkspace(db);
  const admin = await memberContext(db, workspaceId, "admin");
  await setPlan(operator, { workspaceId, plan: "lite" });
  await setPlan(operator, { workspaceId, plan: "lite" });
  await renameWorkspace(admin, { workspaceId, name: "New name" });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAudit(admin, { workspaceId, cursor, limit: 1 });
    seen.push(...page.entries.map(({ action }) => action));
    cursor = page.nextCursor;
  } while (cursor);
  expect(seen).toEqual(["workspace.rename", "workspace.set_plan", "member.add", "workspace.create"]);
  const [newest] = (await listAudit(admin, { workspaceId })).entries;
  expect(newest).toMatchObject({
    actorKind: "user",
    actorId: admin.actor.userId,
    target: workspaceId,
    requestId: admin.requestId,
    detail: { from: "Test", to: "New name" },
  });
  for (const bad of ["", "x", "'; drop", "MjAyNg", "a".repeat(1_000)]) {
    await expect(listAudit(admin, { workspaceId, cursor: bad })).rejects.toMatchObject({ code: "invalid_request" });
  }
});
