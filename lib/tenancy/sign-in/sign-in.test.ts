import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";

import { createTestDatabase } from "@/test/database";
import { log } from "@/lib/platform/log";
import { sha256 } from "@/lib/platform/secrets";
import { addMember, listAudit } from "@/lib/tenancy/workspaces";
import { startMailServer } from "@/test/mail-server";
import { contextOf, createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";
import { TEST_SECRETS } from "@/test/secrets";
import {
  admitFromProvider,
  createAuthAdapter,
  createLoginLink,
  endOtherSessions,
  endSession,
  listLinkedProviders,
  listSessions,
  readSession,
  requestLoginLink,
  unlinkProvider,
  useLoginLink,
} from "./index";

const { db } = await createTestDatabase();
const [operator, workspaceId] = [operatorContext(db), await createTestWorkspace(db)];
const adapter = createAuthAdapter(db);

async function createTestUser(email: string) {
  return await addMember(operator, { workspaceId, email, role: "analyst" });
}

const linkOf = (url: string) => {
  const { searchParams } = new URL(url);
  return { email: searchParams.get("email") ?? "", token: searchParams.get("token") ?? "" };
};

test("a sign-in link opens the page with the button, and its token signs in once", async () => {
  const { userId } = await createTestUser("Ada@Example.com");
  const { url } = await createLoginLink(operator, { email: "ADA@example.com" });
  expect(new URL(url).pathname).toBe("/sign-in/confirm");
  const link = linkOf(url);
  expect(link.token).toMatch(/^[0-9a-f]{64}$/);
  for (const wrong of [
    { ...link, email: "grace@example.com" },
    { ...link, email: "ada@example.com\u0000" },
    { ...link, token: sha256(`${link.token}${TEST_SECRETS.authSecret}`).toString("hex") },
    { ...link, token: "x".repeat(10_000) },
    { email: "", token: "" },
  ])
    await expect(useLoginLink(db, wrong)).rejects.toMatchObject({ code: "auth_failed" });
  expect(await useLoginLink(db, { ...link, email: "Ada@example.com" })).toEqual({ userId });
  await expect(useLoginLink(db, link)).rejects.toMatchObject({ code: "auth_failed" });
});

test("a link mailed by 0.1.0 still signs in, an expired one does not, and twenty concurrent uses sign in once", async () => {
  const { userId } = await createTestUser("joan@example.com");
  const store = async (token: string, seconds: number) => {
    const hash = sha256(`${token}${TEST_SECRETS.authSecret}`).toString("hex");
    await db.execute(sql`insert into verification_tokens (identifier, token, expires)
      values ('joan@example.com', ${hash}, now() + make_interval(secs => ${seconds}))`);
    return { email: "joan@example.com", token };
  };
  await expect(useLoginLink(db, await store("ended", -1))).rejects.toMatchObject({ code: "auth_failed" });
  const open = await store("open", 600);
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => useLoginLink(db, open)));
  expect(outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []))).toEqual([{ userId }]);
});

test("next-auth cannot sign anyone in by a link: it finds no token, and stores none", async () => {
  const { url } = await createLoginLink(operator, { email: "ada@example.com" });
  const { email, token } = linkOf(url);
  const hash = sha256(`${token}${TEST_SECRETS.authSecret}`).toString("hex");
  expect(await adapter.useVerificationToken?.({ identifier: email, token: hash })).toBeNull();
  await adapter.createVerificationToken?.({
    identifier: email,
    token: sha256("x").toString("hex"),
    expires: new Date(),
  });
  const rows = await db.execute(sql`select token from verification_tokens where identifier = ${email}`);
  expect(rows).toEqual([{ token: hash }]);
});

test("an unknown address gets no link, and only operators create links", async () => {
  await expect(createLoginLink(operator, { email: "nobody@example.com" })).rejects.toMatchObject({ code: "not_found" });
  await expect(createLoginLink(operator, { email: "x@y@z" })).rejects.toMatchObject({ code: "invalid_request" });
  const owner = await memberContext(db, workspaceId, "owner");
  await expect(createLoginLink(owner, { email: owner.actor.email })).rejects.toMatchObject({ code: "forbidden" });
  const rows = await db.execute(sql`select 1 from verification_tokens where identifier like '%nobody%'`);
  expect(rows).toHaveLength(0);
});

/**
 * Requests links, which are sent concurrently. Returns what was printed once there are `count` and the link of one more
 * request.
 */
async function ask(count: number, ...emails: string[]) {
  const printed: string[] = [];
  const outlets = { smtpUrl: undefined, print: (text: string) => void printed.push(text) };
  const marker = `${crypto.randomUUID()}@example.com`;
  await createTestUser(marker);
  for (const email of [...emails, marker]) {
    const callbackUrl = "/.//evil.example";
    await requestLoginLink(db, { email, callbackUrl, address: undefined }, outlets);
  }
  await expect.poll(() => printed.some((text) => text.includes(marker)) && printed.length > count).toBe(true);
  return printed.filter((text) => !text.includes(marker));
}

const tokensOf = (email: string) =>
  db.execute<{ token: string }>(sql`select token from verification_tokens where identifier = ${email}`);

test("without a mail server the link of a known address is printed; for an unknown one nothing is stored or sent", async () => {
  await createTestUser("grace@example.com");
  const printed = await ask(1, "stranger@example.com", "no address", "a\u0000@example.com", " Grace@example.com ");
  expect(printed).toHaveLength(1);
  const url = /http\S+/.exec(printed[0] ?? "")?.[0] ?? "";
  expect(url).toMatch(
    /^http:\/\/localhost:3000\/sign-in\/confirm\?token=[0-9a-f]{64}&email=grace%40example.com&callbackUrl=%2F$/,
  );
  expect(await tokensOf("stranger@example.com")).toHaveLength(0);
  expect(await tokensOf("grace@example.com")).toHaveLength(1);
});

test("the sixth link in a row for one address is neither stored nor sent, and an unknown address costs the same", async () => {
  await createTestUser("hertha@example.com");
  const buckets = async () =>
    (await db.execute(sql`select 1 from rate_buckets where bucket like 'sign-in-link%'`)).length;
  const before = await buckets();
  expect(await ask(5, ...Array.from({ length: 8 }, () => "hertha@example.com"))).toHaveLength(5);
  expect(await tokensOf("hertha@example.com")).toHaveLength(5);
  await ask(0, "unknown@example.com");
  expect(await buckets()).toBe(before + 4);
});

test("a client's twenty-first request for a link is refused, whichever addresses it names", async () => {
  const request = (index: number, address: string) =>
    requestLoginLink(db, { email: `n${index}@example.com`, callbackUrl: "/", address });
  for (let index = 0; index < 20; index += 1) await request(index, "198.51.100.9");
  await expect(request(20, "198.51.100.9")).rejects.toMatchObject({ code: "rate_limited" });
  await request(21, "198.51.100.10");
});

test("the mailed link of a known address signs in as received, and unknown addresses get no mail", async () => {
  const { url: smtpUrl, mails } = await startMailServer();
  const { userId } = await createTestUser("katherine@example.com");
  const print = () => expect.unreachable("nothing is printed when mails are sent");
  for (const email of ["nobody@example.com", "Katherine@example.com"])
    await requestLoginLink(db, { email, callbackUrl: "/w/x?a=b&c=%2F", address: undefined }, { smtpUrl, print });
  await expect
    .poll(() => mails.map(({ to, subject }) => [to, subject]))
    .toEqual([["katherine@example.com", "Your sign-in link"]]);
  const [link = ""] = /http\S+/.exec(mails[0]?.text ?? "") ?? [];
  expect(new URL(link).searchParams.get("callbackUrl")).toBe("/w/x?a=b&c=%2F");
  expect(await useLoginLink(db, linkOf(link))).toEqual({ userId });
});

test("a link that the mail server rejects temporarily is sent again, one that it rejects permanently is not", async () => {
  let asked = 0;
  const { url: smtpUrl, mails } = await startMailServer({
    onRcptTo({ address }, _session, done) {
      asked += 1;
      const responseCode = address.startsWith("gone") ? 550 : asked < 3 ? 451 : undefined;
      done(responseCode === undefined ? null : Object.assign(new Error("refused"), { responseCode }));
    },
  });
  const delivery = { smtpUrl, print: () => undefined, retrySeconds: [0, 0, 0] };
  await createTestUser("mary@example.com");
  await requestLoginLink(db, { email: "mary@example.com", callbackUrl: "/", address: undefined }, delivery);
  await expect.poll(() => mails.map(({ to }) => to)).toEqual(["mary@example.com"]);
  expect(asked).toBe(3);
  await createTestUser("gone@example.com");
  await requestLoginLink(db, { email: "gone@example.com", callbackUrl: "/", address: undefined }, delivery);
  await expect.poll(() => asked).toBe(4);
  await requestLoginLink(db, { email: "mary@example.com", callbackUrl: "/", address: undefined }, delivery);
  await expect.poll(() => mails.length).toBe(2);
  expect(asked).toBe(5);
});

test("a link that the mail server may have accepted is sent only once more, with the same Message-ID", async () => {
  const { url: smtpUrl, mails, messageIds, cut } = await startMailServer();
  const delivery = { smtpUrl, print: () => undefined, retrySeconds: [0, 0, 0] };
  await createTestUser("dorothy@example.com");
  cut.add("dorothy@example.com");
  const givenUp = vi.spyOn(log, "error");
  await requestLoginLink(db, { email: "dorothy@example.com", callbackUrl: "/", address: undefined }, delivery);
  await expect.poll(() => givenUp.mock.calls.length).toBe(1);
  givenUp.mockRestore();
  expect(mails.map(({ to }) => to)).toEqual(["dorothy@example.com", "dorothy@example.com"]);
  expect(new Set(messageIds).size).toBe(1);
});

test("an unavailable mail server neither fails nor delays the request", async () => {
  await createTestUser("linus@example.com");
  const print = () => expect.unreachable("nothing is printed when mails are sent");
  const request = { email: "linus@example.com", callbackUrl: "/", address: undefined };
  await requestLoginLink(db, request, { smtpUrl: "smtp://127.0.0.1:1", print });
  await expect.poll(async () => (await tokensOf("linus@example.com")).length).toBe(1);
});

test("a session is stored by the hash of its token and found by the token", async () => {
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

test("signing in never creates a user", async () => {
  const stranger = { id: "x", email: "stranger@example.com", emailVerified: null };
  await expect(adapter.createUser?.(stranger)).rejects.toMatchObject({ code: "forbidden" });
  expect(await adapter.getUserByEmail?.("stranger@example.com")).toBeNull();
  await createTestUser("edsger@example.com");
  expect(await adapter.getUserByEmail?.("Edsger@Example.com")).toMatchObject({ email: "edsger@example.com" });
});

test.each([undefined, "", "x", "x".repeat(10_000)])(
  "an invalid session cookie authenticates nobody",
  async (cookie) => {
    expect(await readSession(db, cookie)).toBeUndefined();
  },
);

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

test("a person sees and ends only their own sessions, one or all others; an ended session is unusable", async () => {
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

test("a provider admits a person who is known here and verified there, and from then on by the linked account", async () => {
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

test("sign-in and sign-out are audited with method and IP address, for the instance and each of the person's workspaces", async () => {
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
