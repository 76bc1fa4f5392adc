import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { newId, newImprint } from "@/lib/contract/ids";
import { createKey, rotateKey } from "@/lib/tenancy/api-keys";
import { createCase, deleteCase } from "@/lib/tenancy/cases";
import { deleteView, renameView, saveView } from "@/lib/tenancy/views";
import { pauseWebApp, renameWebApp } from "@/lib/tenancy/web-apps";
import { listAudit } from "@/lib/tenancy/workspaces";
import { countReads } from "@/test/count-reads";
import { createTestDatabase } from "@/test/database";
import { createSite } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { readTargets } from "./read-targets";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

const entry = (target: string, action = "test.entry", detail: Record<string, unknown> = {}) => ({
  ...{ action, target, detail },
});

test("a target has its present name and page, and what was deleted the last name that the log records", async () => {
  const { workspaceId, webAppId } = await createSite(db);
  await pauseWebApp(operator, { workspaceId, webAppId });
  await renameWebApp(operator, { workspaceId, webAppId, name: "Shop in Łódź" });
  const { viewId } = await saveView(operator, { workspaceId, name: "First", query: "risk=DECEPTIVE" });
  await renameView(operator, { workspaceId, viewId, name: "Second" });
  await deleteView(operator, { workspaceId, viewId });
  const { caseId } = await createCase(operator, { workspaceId, name: "Farm" });
  await deleteCase(operator, { workspaceId, caseId });
  const { entries } = await listAudit(operator, { workspaceId });
  const targets = await readTargets(operator, { workspaceId }, entries);
  expect(targets.get(webAppId)).toEqual({
    name: "Shop in Łódź",
    href: `/w/${workspaceId}/web-apps/${webAppId}`,
  });
  expect(targets.get(viewId)).toEqual({ name: "Second" });
  expect(targets.get(caseId)).toEqual({});
  expect(targets.get(workspaceId)).toEqual({ name: "This workspace" });
});

test("devices, Reports and purchases lead to their pages, unless they were deleted", async () => {
  const { workspaceId } = await createSite(db);
  const [device, gone, imprint, intent] = [newId("device"), newId("device"), newImprint(Date.now()), newId("intent")];
  const targets = await readTargets(operator, { workspaceId }, [
    entry(gone, "device.delete", { visits: 3 }),
    ...[gone, device].map((id) => entry(id, "export.create")),
    ...[imprint, intent, "audit_log", newId("webhook")].map((id) => entry(id)),
    entry("alice", "oauth_client.connect", { name: "Claude" }),
  ]);
  const path = `/w/${workspaceId}`;
  expect(targets.get(gone)).toEqual({});
  expect(targets.get(device)).toEqual({ href: `${path}/devices/${device}` });
  expect(targets.get(imprint)).toEqual({ href: `${path}/reports/${imprint}` });
  expect(targets.get(intent)).toEqual({ href: `${path}/trials/${intent}` });
  expect(targets.get("audit_log")).toEqual({ name: "Audit log" });
  expect(targets.get("alice")).toEqual({ name: "Claude" });
});

test("only the keys and Web Apps on the page are read, however many the workspace has", async () => {
  const { workspaceId, webAppId } = await createSite(db);
  const create = (count: number) => createKey(operator, { workspaceId, name: `Key ${count}` });
  const keys = await Promise.all(Array.from({ length: 40 }, (_, count) => create(count)));
  const keyId = keys[0]?.keyId ?? "";
  await rotateKey(operator, { workspaceId, keyId, overlap: "1h" });
  const entries = [entry(keyId, "api_key.rotate"), entry(webAppId)];
  const { result, reads } = await db.transaction(async (tx) => {
    // Reading the single page of a small table is as fast as its index.
    await tx.execute(sql`set local enable_seqscan = off`);
    return await countReads(tx, "^(api_keys|web_apps)$", () =>
      readTargets({ ...operator, db: tx }, { workspaceId }, entries),
    );
  });
  expect(result.get(keyId)).toMatchObject({ name: "Key 0" });
  expect(reads).toBeLessThanOrEqual(2);
});
