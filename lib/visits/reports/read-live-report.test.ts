import { expect, test } from "vitest";

import { newImprint } from "@/lib/contract/ids";
import { createTestDatabase } from "@/test/database";
import { createSite, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { createWebApp } from "@/lib/tenancy/web-apps";
import { readLiveReport } from "./index";

const { db } = await createTestDatabase();
const ADDRESS = "88.198.50.10";
const MINUTE_MS = 60_000;

/** Reads as a browser at `address`, some minutes later. */
const readFrom = (address: string, input: { environmentId: string; imprint: string }, minutes = 0) =>
  readLiveReport({ db, now: new Date(Date.now() + minutes * MINUTE_MS), requestId: "req_1", address }, input);

test("visitors see the Report of the visit that they just made on the demo", async () => {
  const demo = await createSite(db);
  const { imprint } = await visit(demo, { address: ADDRESS });
  const view = await readFrom(ADDRESS, { environmentId: demo.environmentId, imprint }, 4);
  expect(view.report).toMatchObject({ imprint, network: { observed_ip: ADDRESS } });
});

test("an imprint from another address, another Web App or an older visit reveals nothing", async () => {
  const [demo, other] = [await createSite(db), await createSite(db)];
  const { imprint } = await visit(demo, { address: ADDRESS });
  const elsewhere = await visit(other, { address: ADDRESS });
  const { environmentId } = demo;
  const refused = { code: "report_not_found" };
  await expect(readFrom("88.198.50.11", { environmentId, imprint })).rejects.toMatchObject(refused);
  await expect(readFrom(ADDRESS, { environmentId, imprint }, 6)).rejects.toMatchObject(refused);
  await expect(readFrom(ADDRESS, { environmentId, imprint: elsewhere.imprint })).rejects.toMatchObject(refused);
  await expect(readFrom(ADDRESS, { environmentId, imprint: newImprint(Date.now()) })).rejects.toMatchObject(refused);
  await expect(readFrom(ADDRESS, { environmentId, imprint: "imp_" })).rejects.toMatchObject(refused);
  const unknown = { environmentId: `env_${"0".repeat(32)}`, imprint };
  await expect(readFrom(ADDRESS, unknown)).rejects.toMatchObject(refused);
});

test("a second Web App of the same workspace is not the demo", async () => {
  const demo = await createSite(db);
  const { workspaceId, origin, environmentId } = demo;
  const second = await createWebApp(operatorContext(db), { workspaceId, name: "Second", origins: [origin] });
  const { imprint } = await visit({ ...demo, environmentId: second.environmentId }, { address: ADDRESS });
  await expect(readFrom(ADDRESS, { environmentId, imprint })).rejects.toMatchObject({ code: "report_not_found" });
  await expect(readFrom(ADDRESS, { environmentId: second.environmentId, imprint })).resolves.toBeDefined();
});
