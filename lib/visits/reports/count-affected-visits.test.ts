import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { createSite, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { countRecentVisits, countVisitsBeyond } from "./index";

const { db } = await createTestDatabase();
const DAY_MS = 86_400_000;
/** The same operator, a number of days later. */
const after = (days: number) => ({ ...operatorContext(db), now: new Date(Date.now() + days * DAY_MS) });

test("visits of the last hour are counted by Web App and origin, and visits that a retention would delete by age", async () => {
  const site = await createSite(db);
  const { workspaceId, webAppId } = site;
  for (let count = 0; count < 3; count += 1) await visit(site);
  const none = { visits: 0, isMore: false };
  const all = { visits: 3, isMore: false };
  expect(await countRecentVisits(after(0), { workspaceId, webAppId })).toEqual(all);
  expect(await countRecentVisits(after(0), { workspaceId, webAppId, origin: site.origin })).toEqual(all);
  expect(await countRecentVisits(after(0), { workspaceId, webAppId, origin: "https://other.example" })).toEqual(none);
  expect(await countRecentVisits(after(1), { workspaceId, webAppId })).toEqual(none);

  expect(await countVisitsBeyond(after(9), { workspaceId, days: 10 })).toEqual(none);
  expect(await countVisitsBeyond(after(11), { workspaceId, days: 10 })).toEqual(all);
  expect(await countVisitsBeyond(after(11), { workspaceId, days: null })).toEqual(none);
});
