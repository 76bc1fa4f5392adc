import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createTestWorkspace, operatorContext } from "@/test/workspaces";
import { createWebApp, listRefusedOrigins, purgeRefusedOrigins, recordRefusedOrigin } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

async function createTestWebApp() {
  const workspaceId = await createTestWorkspace(db);
  return await createWebApp(operator, { workspaceId, name: "Shop" });
}

test("refused submissions are counted by origin, most recent first, with whether the origin could be allowed", async () => {
  const webApp = await createTestWebApp();
  for (const origin of ["https://a.example", undefined, "null", "https://a.example"])
    await recordRefusedOrigin(db, { ...webApp, origin });
  const feed = await listRefusedOrigins(operator, webApp);
  expect(feed.map(({ origin, count, canBeAllowed }) => [origin, count, canBeAllowed])).toEqual([
    ["https://a.example", 2, true],
    ["null", 1, false],
    ["", 1, false],
  ]);
  expect(feed[0]?.lastSeenAt).toBeInstanceOf(Date);
});

test("an Origin header that no browser sends cannot be allowed, since the list would not match it", async () => {
  const webApp = await createTestWebApp();
  for (const origin of ["https://a.example:443", "https://A.example"])
    await recordRefusedOrigin(db, { ...webApp, origin });
  expect((await listRefusedOrigins(operator, webApp)).map(({ canBeAllowed }) => canBeAllowed)).toEqual([false, false]);
});

test("concurrent refusals of one origin are all counted", async () => {
  const webApp = await createTestWebApp();
  await Promise.all(
    Array.from({ length: 40 }, () => recordRefusedOrigin(db, { ...webApp, origin: "https://a.example" })),
  );
  expect(await listRefusedOrigins(operator, webApp)).toMatchObject([{ origin: "https://a.example", count: 40 }]);
});

test("a flood of invented origins creates at most 100 rows and one for the rest, also under concurrency", async () => {
  const webApp = await createTestWebApp();
  await Promise.all(
    Array.from({ length: 140 }, (_, index) =>
      recordRefusedOrigin(db, { ...webApp, origin: `https://a${index}.example` }),
    ),
  );
  const rows = await db.execute<{ origin: string; count: number }>(
    sql`select origin, count from refused_origins where web_app_id = ${webApp.webAppId.slice(-32)}::uuid`,
  );
  expect(rows).toHaveLength(101);
  expect(rows.find(({ origin }) => origin === "*")?.count).toBe(40);
  const known = rows.find(({ origin }) => origin !== "*")?.origin;
  await recordRefusedOrigin(db, { ...webApp, origin: known });
  expect((await listRefusedOrigins(operator, webApp))[0]).toMatchObject({ origin: known, count: 2 });
});

test("a hostile origin is truncated and made printable", async () => {
  const webApp = await createTestWebApp();
  await recordRefusedOrigin(db, { ...webApp, origin: `\u0000\u001b[31m\u00e9${"x".repeat(5_000)}` });
  const [shown] = await listRefusedOrigins(operator, webApp);
  expect(shown?.origin).toMatch(/^\?\?\[31m\?x+$/);
  expect(shown?.origin).toHaveLength(200);
});

test("entries older than a day are neither shown nor kept", async () => {
  const webApp = await createTestWebApp();
  await recordRefusedOrigin(db, { ...webApp, origin: "https://old.example" });
  await db.execute(sql`update refused_origins set last_seen_at = now() - interval '25 hours', hour = hour - interval '25 hours'
    where origin = 'https://old.example'`);
  await recordRefusedOrigin(db, { ...webApp, origin: "https://new.example" });
  expect(await listRefusedOrigins(operator, webApp)).toMatchObject([{ origin: "https://new.example" }]);
  expect(await purgeRefusedOrigins(db, new AbortController().signal)).toBe(1);
  expect(await listRefusedOrigins(operator, webApp)).toHaveLength(1);
});
