import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { newId } from "@/lib/contract/ids";
import { listAudit, setMemberRole } from "@/lib/tenancy/workspaces";
import { createTestWorkspace, memberContext, operatorContext } from "@/test/workspaces";
import { deleteView, listViews, renameView, saveView } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);
const DECEPTIVE = "risk=DECEPTIVE&span=30d";

test("a saved view is listed by name for all members, and only its creator and managers may change it", async () => {
  const workspaceId = await createTestWorkspace(db);
  const [creator, admin, other] = await Promise.all([
    memberContext(db, workspaceId, "analyst"),
    memberContext(db, workspaceId, "admin"),
    memberContext(db, workspaceId, "analyst"),
  ]);
  const { viewId } = await saveView(creator, { workspaceId, name: "Robots", query: `?${DECEPTIVE}` });
  await saveView(admin, { workspaceId, name: "All of Apple", query: "system=macOS" });

  const seen = await listViews(other, { workspaceId });
  expect(seen.map(({ name, canChange }) => [name, canChange])).toEqual([
    ["All of Apple", false],
    ["Robots", false],
  ]);
  expect(seen[1]).toMatchObject({ viewId, query: DECEPTIVE, createdBy: creator.actor.userId });
  await expect(renameView(other, { workspaceId, viewId, name: "Mine" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(deleteView(other, { workspaceId, viewId })).rejects.toMatchObject({ code: "forbidden" });

  await renameView(creator, { workspaceId, viewId, name: "Software" });
  expect((await listViews(creator, { workspaceId })).map(({ name, canChange }) => [name, canChange])).toEqual([
    ["All of Apple", false],
    ["Software", true],
  ]);
  await deleteView(admin, { workspaceId, viewId });
  expect((await listViews(operator, { workspaceId })).map(({ name }) => name)).toEqual(["All of Apple"]);
});

test("a view that filters by address or place is restricted for members who may not see those", async () => {
  const workspaceId = await createTestWorkspace(db);
  const [owner, analyst] = await Promise.all([
    memberContext(db, workspaceId, "owner"),
    memberContext(db, workspaceId, "analyst"),
  ]);
  for (const query of ["address=203.0.113.7", "country=NL", "asn=64508", "browser=Chrome"])
    await saveView(owner, { workspaceId, name: query.replace(/=.*/, ""), query });
  const queries = async () => (await listViews(analyst, { workspaceId })).map(({ query }) => query);
  expect(await queries()).toEqual([undefined, undefined, "browser=Chrome", undefined]);
  await setMemberRole(owner, { workspaceId, userId: analyst.actor.userId, role: "analyst", canSeeAddresses: true });
  expect(await queries()).toEqual(["address=203.0.113.7", "asn=64508", "browser=Chrome", "country=NL"]);
});

test("the audit log records who changed which view, by name and never with its filters", async () => {
  const workspaceId = await createTestWorkspace(db);
  const owner = await memberContext(db, workspaceId, "owner");
  const { viewId } = await saveView(owner, { workspaceId, name: "One office", query: "address=203.0.113.7" });
  await renameView(owner, { workspaceId, viewId, name: "One office" });
  await renameView(owner, { workspaceId, viewId, name: "Head office" });
  await deleteView(owner, { workspaceId, viewId });
  const { entries } = await listAudit(owner, { workspaceId, filter: { action: "report_view" } });
  expect(entries.map(({ action, target, detail }) => ({ action, target, detail }))).toEqual([
    { action: "report_view.delete", target: viewId, detail: { name: "Head office" } },
    { action: "report_view.rename", target: viewId, detail: { from: "One office", to: "Head office" } },
    { action: "report_view.save", target: viewId, detail: { name: "One office" } },
  ]);
});

test("a name is used only once, also under concurrency", async () => {
  const workspaceId = await createTestWorkspace(db);
  const save = (query: string) => saveView(operator, { workspaceId, name: "Robots", query });
  const saved = await Promise.allSettled([save(DECEPTIVE), save("risk=PASS"), save("risk=SUSPICIOUS")]);
  expect(saved.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const others = await Promise.all(
    ["a", "b"].map((name) => saveView(operator, { workspaceId, name, query: DECEPTIVE })),
  );
  const renamed = await Promise.allSettled(
    others.map(({ viewId }) => renameView(operator, { workspaceId, viewId, name: "c" })),
  );
  const refusals = [...saved, ...renamed].filter((outcome) => outcome.status === "rejected");
  expect(refusals).toHaveLength(3);
  for (const { reason } of refusals) expect(reason).toMatchObject({ code: "conflict" });
});

test("invalid filters, unknown views and views beyond the limit are refused", async () => {
  const workspaceId = await createTestWorkspace(db);
  const save = (name: string, query: string) => saveView(operator, { workspaceId, name, query });
  await expect(save("None", "")).rejects.toMatchObject({ code: "invalid_request" });
  await expect(save("Page", "before=x")).rejects.toMatchObject({ code: "invalid_request" });
  await expect(save(" ", DECEPTIVE)).rejects.toMatchObject({ code: "invalid_request" });
  const missing = { workspaceId, viewId: newId("view") };
  await expect(deleteView(operator, missing)).rejects.toMatchObject({ code: "not_found" });
  await expect(renameView(operator, { ...missing, viewId: "view_1", name: "x" })).rejects.toMatchObject({
    code: "not_found",
  });
  for (let number = 1; number <= 100; number += 1) await save(`View ${number}`, DECEPTIVE);
  await expect(save("One too many", DECEPTIVE)).rejects.toMatchObject({ code: "conflict" });
});

test("a view of another workspace is not found", async () => {
  const [here, elsewhere] = [await createTestWorkspace(db), await createTestWorkspace(db)];
  const owner = await memberContext(db, elsewhere, "owner");
  const { viewId } = await saveView(operator, { workspaceId: here, name: "Robots", query: DECEPTIVE });
  for (const workspaceId of [here, elsewhere])
    await expect(deleteView(owner, { workspaceId, viewId })).rejects.toMatchObject({ code: "not_found" });
  expect(await listViews(operator, { workspaceId: here })).toHaveLength(1);
});
