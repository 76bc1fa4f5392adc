import { expect, test } from "vitest";

import { recordAudit } from "@/lib/platform/audit";
import { createAuthAdapter } from "@/lib/tenancy/sign-in";
import { authorize, exportAudit, removeMember, setMemberRole } from "@/lib/tenancy/workspaces";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";
import { textStream } from "./text-stream";
import { requireStill, whilePermitted } from "./while-permitted";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

const PAGES = 4;
const ENTRIES_OF_PAGE = 200;

/** A workspace whose audit log fills several pages of an export, each longer than a chunk of the stream. */
async function createLog(): Promise<string> {
  const workspaceId = await createTestWorkspace(db);
  const detail = { text: "x".repeat(200) };
  await db.transaction(async (tx) => {
    for (let count = 0; count < PAGES * ENTRIES_OF_PAGE; count += 1)
      await recordAudit(tx, operator, { workspaceId, action: "test.entry", target: workspaceId, detail });
  });
  return workspaceId;
}

const workspaceId = await createLog();

/** An admin with a session. */
async function createReader() {
  const member = await memberContext(db, workspaceId, "admin");
  const { userId } = member.actor;
  const sessionToken = crypto.randomUUID();
  const adapter = createAuthAdapter(db);
  await adapter.createSession?.({ sessionToken, userId, expires: new Date(Date.now() + 60_000) });
  const access = await authorize(member, workspaceId, "audit.read");
  const check = () => requireStill(db, { sessionToken, access, permission: "audit.read" });
  return { workspaceId, userId, check, signOut: async () => adapter.deleteSession?.(sessionToken) };
}

type Reader = Awaited<ReturnType<typeof createReader>>;

const clockOf = () => {
  const clock = { ms: 0, read: () => clock.ms };
  return clock;
};

/** Pages as the operator reads them, who keeps the permission; records how many were read. */
async function* pagesOf(read: { pages: number; isClosed?: boolean }) {
  try {
    for await (const page of await exportAudit(operator, { workspaceId })) {
      read.pages += 1;
      yield JSON.stringify(page);
    }
  } finally {
    read.isClosed = true;
  }
}

const setRole = (role: "developer" | "admin", canSeeAddresses: boolean) => (reader: Reader) =>
  setMemberRole(operator, { workspaceId, userId: reader.userId, role, canSeeAddresses });

test.each([
  ["the session ends", "auth_failed", (reader: Reader) => reader.signOut()],
  ["the person is removed from the workspace", "not_found", (reader: Reader) => removeMember(operator, reader)],
  ["the role no longer includes it", "forbidden", setRole("developer", true)],
  ["the person may no longer see addresses", "forbidden", setRole("admin", false)],
])("a file breaks off within five seconds after %s", async (_what, code, end) => {
  const reader = await createReader();
  const clock = clockOf();
  const read = { pages: 0 };
  const parts = whilePermitted(pagesOf(read), reader.check, clock.read);
  clock.ms = 5_000;
  expect(await parts.next()).toMatchObject({ done: false });
  await end(reader);
  clock.ms = 9_999;
  expect(await parts.next()).toMatchObject({ done: false });
  clock.ms = 10_000;
  await expect(parts.next()).rejects.toMatchObject({ code });
  expect(await parts.next()).toEqual({ done: true, value: undefined });
  expect(read).toEqual({ pages: 3, isClosed: true });
});

test("a long file is sent whole to a person who may read it, and permission is read once in five seconds, not for each part", async () => {
  const reader = await createReader();
  const clock = clockOf();
  const read = { pages: 0 };
  let checks = 0;
  const check = async () => {
    checks += 1;
    await reader.check();
  };
  for await (const part of whilePermitted(pagesOf(read), check, clock.read)) {
    expect(part).not.toBe("");
    clock.ms += 2_000;
  }
  expect(read.pages).toBeGreaterThanOrEqual(PAGES);
  expect(checks).toBe(Math.floor(((read.pages - 1) * 2) / 6));
});

test("nothing more is read for a client that disconnects", async () => {
  const reader = await createReader();
  const read: Parameters<typeof pagesOf>[0] = { pages: 0 };
  const stream = textStream(whilePermitted(pagesOf(read), reader.check)).getReader();
  await stream.read();
  await stream.cancel();
  expect(read.isClosed).toBe(true);
  expect(read.pages).toBeLessThan(PAGES);
});
