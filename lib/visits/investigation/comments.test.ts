import { expect, test } from "vitest";

import { commentOnCase, createCase, deleteComment, readCase } from "@/lib/tenancy/cases";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace, memberContext } from "@/test/workspaces";

const { db } = await createTestDatabase();

test("members delete their own comments", async () => {
  const workspaceId = await createTestWorkspace(db);
  const analyst = await memberContext(db, workspaceId, "analyst");
  const { caseId } = await createCase(analyst, { workspaceId, name: "Ring" });
  const of = { workspaceId, caseId };
  await commentOnCase(analyst, { ...of, text: "Mine" });
  const [own] = (await readCase(analyst, of)).entries;
  expect(own).toMatchObject({ text: "Mine", canDelete: true });
  await deleteComment(analyst, { ...of, entryId: own?.entryId ?? "" });
  expect((await readCase(analyst, of)).entries.map(({ text }) => text)).not.toContain("Mine");
});
