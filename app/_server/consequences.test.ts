import { expect, test } from "vitest";

import { assignCase, createCase } from "@/lib/tenancy/cases";
import { createTestDatabase } from "@/test/database";
import { createTestWorkspace, memberContext } from "@/test/workspaces";
import { readConsequences } from "./consequences";

const { db } = await createTestDatabase();

test("a member with more open cases than one page of the list is not said to have one page of them", async () => {
  const workspaceId = await createTestWorkspace(db);
  const owner = await memberContext(db, workspaceId, "owner");
  const { actor: assignee } = await memberContext(db, workspaceId, "analyst");
  const ask = () => readConsequences(owner, { what: "member", workspaceId, userId: assignee.userId });
  const assign = async (number: number) => {
    const { caseId } = await createCase(owner, { workspaceId, name: `Case ${number}` });
    await assignCase(owner, { workspaceId, caseId, assigneeId: assignee.userId });
  };
  for (let number = 1; number <= 50; number += 1) await assign(number);
  expect(await ask()).toEqual([expect.stringMatching(/^50 open cases stay/)]);
  await assign(51);
  expect(await ask()).toEqual([expect.stringMatching(/^More than 50 open cases stay/)]);
});
