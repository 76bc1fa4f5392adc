import { setTimeout as delay } from "node:timers/promises";

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { newId } from "@/lib/contract/ids";
import { createAuthAdapter, createLoginLink, readSession, useLoginLink } from "@/lib/tenancy/sign-in";
import {
  acceptInvitation,
  addMember,
  inviteMember,
  listAudit,
  listInvitations,
  listMembers,
  readInvitation,
  removeMember,
  renewInvitation,
  revokeInvitation,
  type Role,
} from "./index";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";
const nobody = { db, now: new Date(), actor: undefined };

async function invite(role: Role = "developer") {
  const workspaceId = await createTestWorkspace(db);
  const email = `${newId("user")}@example.com`;
  const invited = await inviteMember(operator, { workspaceId, email, role });
  return { ...invited, workspaceId, email, token: tokenOf(invited.url) };
}

/** A session of the person, as created by joining or signing in. */
async function signInAs(userId: string): Promise<string> {
  const sessionToken = crypto.randomUUID();
  const expires = new Date(Date.now() + 3_600_000);
  await createAuthAdapter(db, { userAgent: "Test" }).createSession?.({ sessionToken, userId, expires });
  return sessionToken;
}

test("the bearer of a link becomes a member with the invited role, and only one of many concurrent uses succeeds", async () => {
  const { workspaceId, email, token } = await invite();
  expect(await readInvitation({ db }, { token })).toMatchObject({ email, role: "developer", isKnown: false });
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => acceptInvitation(nobody, { token })));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await listMembers(operator, { workspaceId })).toMatchObject([
    { email, role: "developer", canSeeAddresses: false },
  ]);
  await expect(acceptInvitation(nobody, { token })).rejects.toMatchObject({ code: "auth_failed" });
  const { entries } = await listAudit(operator, { workspaceId });
  expect(entries.map(({ action }) => action).slice(0, 2)).toEqual(["member.join", "member.invite"]);
  expect(JSON.stringify(entries)).not.toContain(token);
});

test("a known person must be signed in: a link does not give access to what they already have", async () => {
  const workspaceId = await createTestWorkspace(db);
  const owner = await memberContext(db, await createTestWorkspace(db), "owner");
  const { url } = await inviteMember(operator, { workspaceId, email: owner.actor.email, role: "analyst" });
  const token = tokenOf(url);
  await expect(acceptInvitation(nobody, { token })).rejects.toMatchObject({ code: "forbidden" });
  const other = await memberContext(db, await createTestWorkspace(db), "owner");
  await expect(acceptInvitation(other, { token })).rejects.toMatchObject({ code: "forbidden" });
  expect(await acceptInvitation(owner, { token })).toMatchObject({ workspaceId, isNew: false });
});

test("of two invitations of a new address, accepted at the same time, only one opens a session of its user", async () => {
  const { workspaceId, email, token } = await invite();
  const other = await inviteMember(operator, { workspaceId: await createTestWorkspace(db), email, role: "owner" });
  const outcomes = await db.transaction(async (tx) => {
    const joined = await acceptInvitation({ ...nobody, db: tx }, { token: tokenOf(other.url) });
    // Waits for the user that is not committed yet.
    const late = acceptInvitation(nobody, { token }).catch((error: unknown) => error);
    await delay(200);
    return { joined, late };
  });
  expect(outcomes.joined).toMatchObject({ isNew: true });
  expect(await outcomes.late).toMatchObject({ code: "forbidden" });
  expect(await listMembers(operator, { workspaceId })).toEqual([]);
  expect(await readInvitation({ db }, { token })).toMatchObject({ email, isKnown: true });
});

test("a link used while signed in as another person creates no user", async () => {
  const { token } = await invite();
  const other = await memberContext(db, await createTestWorkspace(db), "owner");
  await expect(acceptInvitation(other, { token })).rejects.toMatchObject({ code: "forbidden" });
});

/** Signs in through a mailed link. */
async function signInByLink(email: string): Promise<void> {
  const { searchParams } = new URL((await createLoginLink(operator, { email })).url);
  await useLoginLink(db, { email, token: searchParams.get("token") ?? "" });
}

test("a session opened by an invitation never reaches a second workspace, and ends when the address is verified", async () => {
  const { token, email } = await invite();
  const { userId } = await acceptInvitation(nobody, { token });
  const first = await signInAs(userId);
  expect(await readSession(db, first)).toMatchObject({ userId });
  await addMember(operator, { workspaceId: await createTestWorkspace(db), email, role: "owner" });
  expect(await readSession(db, first)).toBeUndefined();

  const unproven = await signInAs(userId);
  await signInByLink(email);
  const proven = await signInAs(userId);
  expect([await readSession(db, unproven), await readSession(db, proven)]).toMatchObject([undefined, { userId }]);
  await signInByLink(email);
  await addMember(operator, { workspaceId: await createTestWorkspace(db), email, role: "analyst" });
  expect(await readSession(db, proven)).toMatchObject({ userId });
});

test("an invitation is valid only while its sender may grant the role", async () => {
  const workspaceId = await createTestWorkspace(db);
  const admin = await memberContext(db, workspaceId, "admin");
  const email = `${newId("user")}@example.com`;
  const { url } = await inviteMember(admin, { workspaceId, email, role: "developer" });
  await removeMember(operator, { workspaceId, userId: admin.actor.userId });
  await expect(acceptInvitation(nobody, { token: tokenOf(url) })).rejects.toMatchObject({ code: "auth_failed" });
  expect(await listMembers(operator, { workspaceId })).toEqual([]);
});

test("renewing replaces the link; revocation and expiry end it", async () => {
  const { workspaceId, invitationId, token, email } = await invite();
  const renewed = await renewInvitation(operator, { workspaceId, invitationId });
  await expect(acceptInvitation(nobody, { token })).rejects.toMatchObject({ code: "auth_failed" });
  expect(await listInvitations(operator, { workspaceId })).toMatchObject([{ invitationId, email, isExpired: false }]);
  await db.execute(sql`update invitations set expires_at = now() where email = ${email}`);
  await expect(acceptInvitation(nobody, { token: tokenOf(renewed.url) })).rejects.toMatchObject({
    code: "auth_failed",
  });
  expect(await listInvitations(operator, { workspaceId })).toMatchObject([{ isExpired: true }]);
  const again = await renewInvitation(operator, { workspaceId, invitationId });
  await revokeInvitation(operator, { workspaceId, invitationId });
  await expect(acceptInvitation(nobody, { token: tokenOf(again.url) })).rejects.toMatchObject({ code: "auth_failed" });
  await expect(revokeInvitation(operator, { workspaceId, invitationId })).rejects.toMatchObject({ code: "not_found" });
});

test("an address has one pending invitation, an expired one is replaced, and a member cannot be invited", async () => {
  const { workspaceId, email, token } = await invite();
  const again = { workspaceId, email: email.toUpperCase(), role: "analyst" } as const;
  await expect(inviteMember(operator, again)).rejects.toMatchObject({ code: "conflict" });
  await db.execute(sql`update invitations set expires_at = now() where email = ${email}`);
  const { url } = await inviteMember(operator, again);
  await expect(acceptInvitation(nobody, { token })).rejects.toMatchObject({ code: "auth_failed" });
  await acceptInvitation(nobody, { token: tokenOf(url) });
  await expect(inviteMember(operator, again)).rejects.toMatchObject({ code: "conflict" });
});

test("the database contains no token of a link", async () => {
  const { token, workspaceId } = await invite();
  const [row] = await db.execute(sql`select i::text as shown from invitations i`);
  expect(JSON.stringify([row, await listInvitations(operator, { workspaceId })])).not.toContain(token);
});
