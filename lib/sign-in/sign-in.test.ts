import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/db/testing";
import { sha256 } from "@/lib/secrets";
import { addMember, listAudit } from "@/lib/workspaces";
import { contextOf, createTestWorkspace, memberContext, operatorContext, TEST_SECRETS } from "@/lib/workspaces/testing";
import {
  admitFromProvider,
  createAuthAdapter,
  createLoginLink,
  endOtherSessions,
  endSession,
  listLinkedProviders,
  listSessions,
  readSession,
  returnPath,
  sendLoginLink,
  unlinkProvider,
} from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const workspaceId = await createTestWorkspace(db);
const adapter = createAuthAdapter(db);

async function createTestUser(email: string) {
  return await addMember(operator, { workspaceId, email, role: "analyst" });
}

/** What next-auth looks a link's token up by. */
const stored = (token: string) => sha256(`${token}${TEST_SECRETS.authSecret}`).toString("hex");

test("a sign-in link leads to the page with the button, and its token works once in next-auth's form", async () => {
  await createTestUser("Ada@Example.com");
  const { url } = await createLoginLink(operator, { email: "ADA@example.com" });
  const link = new URL(url);
  expect(link.pathname).toBe("/sign-in/confirm");
  const token = link.searchParams.get("token") ?? "";
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  const presented = { identifier: "ada@example.com", token: stored(token) };
  expect(await adapter.useVerificationToken?.({ ...presented, token })).toBeNull();
  expect(await adapter.useVerificationToken?.(presented)).toMatchObject({ identifier: "ada@example.com" });
  expect(await adapter.useVerificationToken?.(presented)).toBeNull();
});

test("an address that belongs to nobody gets no link, and only operators make links", async () => {
  await expect(createLoginLink(operator, { email: "nobody@example.com" })).rejects.toMatchObject({ code: "not_found" });
  await expect(createLoginLink(operator, { email: "x@y@z" })).rejects.toMatchObject({ code: "invalid_request" });
  const owner = await memberContext(db, workspaceId, "owner");
  await expect(createLoginLink(owner, { email: owner.actor.email })).rejects.toMatchObject({ code: "forbidden" });
  const rows = await db.execute(sql`select 1 from verification_tokens where identifier like '%nobody%'`);
  expect(rows).toHaveLength(0);
});

test("without a mail server the link of a known address is printed; an unknown one gets nothing", async () => {
  await createTestUser("grace@example.com");
  const printed: string[] = [];
  const outlets = { smtpUrl: undefined, print: (text: string) => void printed.push(text) };
  const url =
    "http://localhost:3000/api/auth/callback/email?callbackUrl=https%3A%2F%2Fevil.example%2Fx&token=abc&email=grace%40example.com";
  await sendLoginLink(db, { identifier: "stranger@example.com", url }, outlets);
  expect(printed).toEqual([]);
  await sendLoginLink(db, { identifier: "Grace@example.com", url }, outlets);
  expect(printed.join("")).toContain(
    "http://localhost:3000/sign-in/confirm?token=abc&email=grace%40example.com&callbackUrl=%2F\n",
  );
});

test("the sixth link in a row for one address is not sent", async () => {
  await createTestUser("hedy@example.com");
  const printed: string[] = [];
  const outlets = { smtpUrl: undefined, print: (text: string) => void printed.push(text) };
  const url = "http://localhost:3000/api/auth/callback/email?token=abc&email=hedy%40example.com";
  for (let index = 0; index < 8; index += 1) await sendLoginLink(db, { identifier: "hedy@example.com", url }, outlets);
  expect(printed).toHaveLength(5);
});

test("a mail server that is away does not fail the request", async () => {
  await createTestUser("linus@example.com");
  const url = "http://localhost:3000/api/auth/callback/email?token=abc&email=linus%40example.com";
  const print = () => expect.unreachable("nothing is printed when mails are sent");
  await sendLoginLink(db, { identifier: "linus@example.com", url }, { smtpUrl: "smtp://127.0.0.1:1", print });
});

test.each([
  [null, "/"],
  ["", "/"],
  ["/w/ws_1/keys?tab=1", "/w/ws_1/keys?tab=1"],
  ["http://localhost:3000/x", "/x"],
  ["https://evil.example/x", "/"],
  ["//evil.example/x", "/"],
  ["/\\evil.example", "/"],
  ["javascript:alert(1)", "/"],
])("a person returns to %j by %s", (callbackUrl, path) => {
  expect(returnPath("http://localhost:3000", callbackUrl)).toBe(path);
});

test("a session is stored by the hash of its token and read by the token", async () => {
  const { userId } = await createTestUser("alan@example.com");
  const sessionToken = crypto.randomUUID();
  await adapter.createSession?.({ sessionToken, userId, expires: new Date(Date.now() + 60_000) });
  const rows = await db.execute<{ session_token: string }>(sql`select session_token from sessions`);
  expect(rows.map((row) => row.session_token)).toEqual([sha256(sessionToken).toString("hex")]);
  expect(await readSession(db, sessionToken)).toEqual({
    kind: "user",
    userId,
    email: "alan@example.com",
    name: null,
    isOperator: false,
    sessionId: expect.stringMatching(/^ses_[0-9a-f]{32}$/) as string,
  });
  expect(await readSession(db, sha256(sessionToken).toString("hex"))).toBeUndefined();
  await adapter.deleteSession?.(sessionToken);
  expect(await readSession(db, sessionToken)).toBeUndefined();
  const ended = { sessionToken: crypto.randomUUID(), userId, expires: new Date(Date.now() - 1_000) };
  await adapter.createSession?.(ended);
  expect(await readSession(db, ended.sessionToken)).toBeUndefined();
});

test("signing in never makes a user", async () => {
  const stranger = { id: "x", email: "stranger@example.com", emailVerified: null };
  await expect(adapter.createUser?.(stranger)).rejects.toMatchObject({ code: "forbidden" });
  expect(await adapter.getUserByEmail?.("stranger@example.com")).toBeNull();
  await createTestUser("edsger@example.com");
  expect(await adapter.getUserByEmail?.("Edsger@Example.com")).toMatchObject({ email: "edsger@example.com" });
});

test.each([undefined, "", "x", "x".repeat(10_000)])("a cookie that is no session stands for nobody", async (cookie) => {
  expect(await readSession(db, cookie)).toBeUndefined();
});

async function openSession(userId: string) {
  const sessionToken = crypto.randomUUID();
  await createAuthAdapter(db, { userAgent: "Firefox" }).createSession?.({
    sessionToken,
    userId,
    expires: new Date(Date.now() + 60_000),
  });
  const actor = await readSession(db, sessionToken);
  if (!actor) throw new Error("the session was not opened");
  return { ...contextOf(db, actor), actor, sessionToken };
}

test("a person sees and ends the own sessions only, one or all others; what is ended opens nothing", async () => {
  const { userId } = await createTestUser("barbara@example.com");
  const [first, second, third] = [await openSession(userId), await openSession(userId), await openSession(userId)];
  const stranger = await openSession((await createTestUser("mallory@example.com")).userId);
  expect(await listSessions(first, { userId })).toMatchObject(
    [third, second, first].map(({ actor }) => ({ sessionId: actor.sessionId, userAgent: "Firefox" })),
  );
  const sessionId = second.actor.sessionId ?? "";
  for (const attempt of [
    () => listSessions(stranger, { userId }),
    () => endSession(stranger, { userId, sessionId }),
    () => endOtherSessions(stranger, { userId }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: "forbidden" });
  const ofStranger = { userId: stranger.actor.userId, sessionId };
  await expect(endSession(stranger, ofStranger)).rejects.toMatchObject({ code: "not_found" });

  await endSession(first, { userId, sessionId });
  expect(await readSession(db, second.sessionToken)).toBeUndefined();
  expect(await endOtherSessions(first, { userId })).toEqual({ userId, ended: 1 });
  expect([await readSession(db, third.sessionToken), await readSession(db, first.sessionToken)]).toMatchObject([
    undefined,
    { userId },
  ]);
  expect(await endOtherSessions(operator, { userId })).toEqual({ userId, ended: 1 });
  expect(await readSession(db, stranger.sessionToken)).toMatchObject({ userId: stranger.actor.userId });
});

const presented = (email: unknown, verified: unknown, provider = "oidc") => ({
  provider,
  providerAccountId: crypto.randomUUID(),
  claims: { email, email_verified: verified },
});

test("a provider lets in who is known here and verified there, and afterwards by its own name for that person", async () => {
  const { userId } = await createTestUser("margaret@example.com");
  expect(await admitFromProvider(db, presented("Margaret@Example.com", true))).toBe("admitted");
  expect(await admitFromProvider(db, presented("margaret@example.com", "true"))).toBe("admitted");
  for (const claim of [false, "false", undefined, null, 1])
    expect(await admitFromProvider(db, presented("margaret@example.com", claim))).toBe("unverified");
  for (const email of [undefined, 7, null])
    expect(await admitFromProvider(db, presented(email, true))).toBe("unverified");
  expect(await admitFromProvider(db, presented("unknown@example.com", true))).toBe("unknown");

  const renamed = presented("renamed@example.com", false);
  const { provider, providerAccountId } = renamed;
  await adapter.linkAccount?.({ type: "oidc", userId, provider, providerAccountId });
  expect(await admitFromProvider(db, renamed)).toBe("admitted");
  expect(await admitFromProvider(db, { ...renamed, provider: "google" })).toBe("unverified");

  const person = await openSession(userId);
  expect(await listLinkedProviders(person, { userId })).toEqual(["oidc"]);
  await unlinkProvider(person, { userId, provider });
  expect(await admitFromProvider(db, renamed)).toBe("unverified");
  await expect(unlinkProvider(person, { userId, provider })).rejects.toMatchObject({ code: "not_found" });
});

test("who signs in and out is noted with method and address, for the instance and each workspace that it opens", async () => {
  const { userId } = await createTestUser("radia@example.com");
  const second = await createTestWorkspace(db);
  await addMember(operator, { workspaceId: second, email: "radia@example.com", role: "owner" });
  const untouched = await createTestWorkspace(db);
  const request = { requestId: "req_1", address: "203.0.113.7", userAgent: "Firefox", method: () => "google" };
  const noted = createAuthAdapter(db, request);
  const sessionToken = crypto.randomUUID();
  await noted.createSession?.({ sessionToken, userId, expires: new Date(Date.now() + 60_000) });
  const sessionId = (await readSession(db, sessionToken))?.sessionId ?? "";
  await noted.deleteSession?.(sessionToken);
  await noted.deleteSession?.(sessionToken);
  const entry = {
    ...{ actorKind: "user", actorId: userId, target: userId, credential: sessionId },
    ...{ address: "203.0.113.7", requestId: "req_1" },
  };
  for (const log of [undefined, workspaceId, second]) {
    const { entries } = await listAudit(operator, { workspaceId: log, filter: { action: "session", target: userId } });
    expect(entries).toMatchObject([
      { ...entry, action: "session.sign_out" },
      { ...entry, action: "session.sign_in", detail: { email: "radia@example.com", method: "google" } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(sessionToken);
  }
  expect((await listAudit(operator, { workspaceId: untouched, filter: { action: "session" } })).entries).toEqual([]);
});
