import { expect, test } from "vitest";

import { newId } from "@/lib/contract/ids";
import type { Context } from "@/lib/platform/context";
import {
  assignCase,
  commentOnCase,
  createCase,
  deleteCase,
  deleteComment,
  listCases,
  readCase,
  renameCase,
  setCaseStatus,
} from "@/lib/tenancy/cases";
import { type Role, ROLES } from "@/lib/tenancy/workspaces";
import { createTestDatabase } from "@/test/database";
import { insertTestDevice } from "@/test/devices";
import { contextOf, createTestWorkspace, memberContext, operatorContext, strangerContext } from "@/test/workspaces";
import { addToCase, exportCase, exportEvidence, takeFromCase } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

/** A case with a device and a comment by the operator. */
async function createFixture() {
  const workspaceId = await createTestWorkspace(db);
  const deviceId = await insertTestDevice(db, workspaceId);
  const { caseId } = await createCase(operator, { workspaceId, name: "Ring" });
  await addToCase(operator, { workspaceId, caseId, items: [deviceId] });
  await commentOnCase(operator, { workspaceId, caseId, text: "Look at this" });
  const [comment] = (await readCase(operator, { workspaceId, caseId })).entries;
  return { workspaceId, caseId, deviceId, entryId: comment?.entryId ?? "" };
}

type Fixture = Awaited<ReturnType<typeof createFixture>>;
type Verb = (context: Context, of: Fixture) => Promise<unknown>;

const EVERYONE: readonly Role[] = ROLES;
const MANAGERS: readonly Role[] = ["owner", "admin"];

/** All verbs, in an order in which each finds what it needs. */
const VERBS: readonly [string, readonly Role[], Verb][] = [
  ["listCases", EVERYONE, listCases],
  ["readCase", EVERYONE, readCase],
  ["createCase", EVERYONE, (context, { workspaceId }) => createCase(context, { workspaceId, name: "New" })],
  ["renameCase", EVERYONE, (context, of) => renameCase(context, { ...of, name: "New" })],
  ["setCaseStatus", EVERYONE, (context, of) => setCaseStatus(context, { ...of, status: "closed" })],
  ["assignCase", EVERYONE, (context, of) => assignCase(context, { ...of, assigneeId: "" })],
  ["commentOnCase", EVERYONE, (context, of) => commentOnCase(context, { ...of, text: "Seen" })],
  ["addToCase", EVERYONE, (context, of) => addToCase(context, { ...of, items: [of.deviceId] })],
  ["takeFromCase", EVERYONE, (context, of) => takeFromCase(context, { ...of, item: of.deviceId })],
  ["exportCase", EVERYONE, (context, of) => exportCase(context, { ...of, format: "html" })],
  ["exportEvidence", EVERYONE, (context, of) => exportEvidence(context, { ...of, item: of.deviceId, format: "csv" })],
  ["deleteComment of another person", MANAGERS, deleteComment],
  ["deleteCase", MANAGERS, deleteCase],
];

const codeOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => (error as { code?: unknown }).code, // an error of ours has one
  );

test.each(ROLES)("the role %s has exactly the permissions for cases in the table", async (role) => {
  const of = await createFixture();
  const context = await memberContext(db, of.workspaceId, role);
  for (const [name, allowed, verb] of VERBS)
    expect([name, await codeOf(verb(context, of))]).toEqual([name, allowed.includes(role) ? undefined : "forbidden"]);
});

test("cases are invisible to strangers like the workspace itself, and not accessible to keys and connected clients", async () => {
  const of = await createFixture();
  const member = await memberContext(db, of.workspaceId, "owner");
  const { workspaceId } = of;
  const key = contextOf(db, { kind: "apiKey", workspaceId, keyId: newId("apiKey") });
  const client = contextOf(db, { kind: "oauthClient", workspaceId, clientId: "c", userId: member.actor.userId });
  for (const [name, , verb] of VERBS) {
    expect([name, await codeOf(verb(strangerContext(db), of))]).toEqual([name, "not_found"]);
    for (const context of [key, client]) expect([name, await codeOf(verb(context, of))]).toEqual([name, "forbidden"]);
  }
  expect((await readCase(operator, of)).entries).toHaveLength(3);
});

test("members delete their own comments", async () => {
  const of = await createFixture();
  const analyst = await memberContext(db, of.workspaceId, "analyst");
  await commentOnCase(analyst, { ...of, text: "Mine" });
  const [own] = (await readCase(analyst, of)).entries;
  expect(own).toMatchObject({ text: "Mine", canDelete: true });
  await deleteComment(analyst, { ...of, entryId: own?.entryId ?? "" });
  expect((await readCase(analyst, of)).entries.map(({ text }) => text)).not.toContain("Mine");
});
