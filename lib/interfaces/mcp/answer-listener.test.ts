import { expect, onTestFinished, test, vi } from "vitest";

import { authenticateToken, revokeClient } from "@/lib/interfaces/oauth";
import { removeMember } from "@/lib/tenancy/workspaces";
import { createTestDatabase } from "@/test/database";
import { createPerson, jsonOf } from "@/test/oauth";
import { createSite } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { message, tokenFor } from "./testing";

const { db } = await createTestDatabase();
const { workspaceId } = await createSite(db);
const person = await createPerson(db, workspaceId);
const token = await tokenFor(person, workspaceId);

const params = { notifications: { toolsListChanged: true } };
const listen = (by: string) => message(by, { method: "subscriptions/listen", params });

test("a person may keep eight listeners open through any clients; others are unaffected, and closing one makes room", async () => {
  const other = await createPerson(db, workspaceId);
  const [second, others] = [await tokenFor(person, workspaceId), await tokenFor(other, workspaceId)];
  const open = await Promise.all([token, second, token, second, token, second, token, second].map(listen));
  expect(open.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  const refused = await listen(token);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(await jsonOf(refused)).toMatchObject({ error: { code: "rate_limited" } });
  open.push(await listen(others));
  expect(open.at(-1)?.status).toBe(200);
  await open[0]?.body?.cancel();
  open.push(await listen(second));
  expect(open.at(-1)?.status).toBe(200);
  // A message that is refused reserves nothing.
  expect(await jsonOf(await message(others, { method: "subscriptions/listen" }))).toMatchObject({ error: {} });
  for (const { body } of open) await body?.cancel();
});

const context = operatorContext(db);
const leaver = await createPerson(db, workspaceId);
const bystander = await tokenFor(await createPerson(db, workspaceId), workspaceId);

test.each([
  [
    "its client is revoked",
    person,
    async (by: string) => revokeClient(context, { workspaceId, grantId: (await authenticateToken(db, by)).grantId }),
  ],
  ["its person leaves the workspace", leaver, () => removeMember(context, { workspaceId, userId: leaver.userId })],
])("a listener ends within half a minute after %s; those of others stay", async (_cause, of, endAccess) => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const by = await tokenFor(of, workspaceId);
  const [others, own] = await Promise.all(
    [bystander, by].map(async (token) => (await listen(token)).body?.getReader()),
  );
  for (const listener of [others, own]) expect((await listener?.read())?.done).toBe(false);
  await endAccess(by);
  await vi.advanceTimersByTimeAsync(30_000);
  const untilEnd = async () => {
    while ((await own?.read())?.done === false);
    return "ended";
  };
  expect(await untilEnd()).toBe("ended");
  expect((await message(by, { method: "tools/list" })).status).toBe(401);
  // Its next piece is one that keeps the connection alive, not the end.
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await others?.read()).toMatchObject({ done: false });
  await others?.cancel();
});
