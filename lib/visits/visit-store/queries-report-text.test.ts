import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { AccountMap, Activity, Report } from "@/lib/contract/report";
import { createSite, readReport, visit } from "@/test/visits";

const { db } = await createTestDatabase();

test("the database generates exactly the contract's Report text, with all of its fields", async () => {
  const site = await createSite(db);
  for (const known of [undefined, (await visit(site)).token]) {
    const { imprint } = await visit(site, { token: known });
    const text = await (await readReport(site.apiKey, imprint)).text();
    const report = Report.parse(JSON.parse(text));
    expect(JSON.stringify(report)).toBe(text);
    const { account_map: accountMap, ...fields } = Report.shape;
    expect(accountMap.unwrap()).toBe(AccountMap); // added at delivery
    expect(Object.keys(report)).toEqual(Object.keys(fields));
    expect(Object.keys(report.device)).toEqual(Object.keys(fields.device.shape));
    expect(Object.entries(report.activity ?? {}).map(([window, counts]) => [window, Object.keys(counts)])).toEqual(
      Object.entries(Activity.shape).map(([window, counts]) => [window, Object.keys(counts.shape)]),
    );
  }
});
