import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createTestWorkspace, memberContext } from "@/test/workspaces";
import { createAuthAdapter } from "./adapter";
import { readSession } from "./read-session";

const { db } = await createTestDatabase();

test("a person whose sessions were ended while the clock was ahead can sign in once the clock is set back", async () => {
  const { actor } = await memberContext(db, await createTestWorkspace(db), "analyst");
  const { userId } = actor;
  await db.execute(sql`update users set sessions_from = now() + interval '1 day' where id = ${userId}`);
  const session = { sessionToken: crypto.randomUUID(), userId, expires: new Date(Date.now() + 60_000) };
  await createAuthAdapter(db).createSession?.(session);
  expect(await readSession(db, session.sessionToken)).toMatchObject({ userId });
});
