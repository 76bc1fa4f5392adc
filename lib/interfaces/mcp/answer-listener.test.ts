import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createPerson, jsonOf } from "@/test/oauth";
import { createSite } from "@/test/visits";
import { message, tokenFor } from "./testing";

const { db } = await createTestDatabase();
const { workspaceId } = await createSite(db);
const person = await createPerson(db, workspaceId);
const token = await tokenFor(person, workspaceId);

test("a person may keep eight listeners open through any clients; others are unaffected, and closing one makes room", async () => {
  const params = { notifications: { toolsListChanged: true } };
  const listen = (by: string) => message(by, { method: "subscriptions/listen", params });
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
