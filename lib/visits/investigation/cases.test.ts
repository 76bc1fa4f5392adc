import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { newId, newImprint } from "@/lib/contract/ids";
import type { Context } from "@/lib/platform/context";
import { deleteOldCaseItems } from "@/lib/operations/jobs/delete-old-case-items";
import { assignCase, commentOnCase, createCase, listCases, readCase, setCaseStatus } from "@/lib/tenancy/cases";
import { listAudit, setMemberRole, setPlan, setRetention } from "@/lib/tenancy/workspaces";
import { deleteAccount, findAccount } from "@/lib/visits/account-map";
import { deleteDevice } from "@/lib/visits/devices";
import { createSite, readReport, type Site, visit } from "@/test/visits";
import { memberContext, operatorContext } from "@/test/workspaces";
import { addToCase, exportCase, exportEvidence, takeFromCase } from "./index";

const { db } = await createTestDatabase();
const operator = operatorContext(db);

const ADDRESS = "87.128.7.7";
const MINUTE_MS = 60_000;

/** A device with two visits, the second of which was read with an account, and a case. */
async function createInvestigation(accountRef = "user-4711") {
  const site = await createSite(db);
  const { workspaceId } = site;
  const first = await visit(site, { address: ADDRESS });
  const second = await visit(site, { address: ADDRESS, token: first.token });
  const report = await readReport(site.apiKey, second.imprint, { "x-account-ref": accountRef });
  const { device } = (await report.json()) as { device: { id: string } };
  const accountId = (await findAccount(operator, { workspaceId, accountRef })) ?? "";
  const { caseId } = await createCase(operator, { workspaceId, name: "Sign-ups of last night" });
  return {
    site,
    workspaceId,
    caseId,
    deviceId: device.id,
    accountId,
    imprints: [first.imprint, second.imprint] as const,
  };
}

/** Another case of a workspace. */
const createInvestigationOf = async (workspaceId: string) => ({
  workspaceId,
  ...(await createCase(operator, { workspaceId, name: "Another" })),
});

type Investigation = Awaited<ReturnType<typeof createInvestigation>>;

const allItems = ({ imprints, deviceId, accountId }: Investigation) => [...imprints, deviceId, accountId, ADDRESS];

const valuesOf = async (context: Context, of: Pick<Investigation, "workspaceId" | "caseId">) =>
  (await readCase(context, of)).items.map(({ value }) => value);

/** An export with its text at once. */
async function whole(exporting: ReturnType<typeof exportCase>) {
  const { parts, ...rest } = await exporting;
  let text = "";
  for await (const part of parts) text += part;
  return { ...rest, text };
}

test("a case contains each visit, device, address and account once, and its history says who added what", async () => {
  const of = await createInvestigation();
  const { workspaceId, caseId } = of;
  const analyst = await memberContext(db, workspaceId, "owner");
  expect(await addToCase(analyst, { workspaceId, caseId, items: allItems(of), note: "Same hour" })).toMatchObject({
    added: 5,
  });
  expect(await addToCase(operator, { workspaceId, caseId, items: [of.deviceId, of.deviceId] })).toMatchObject({
    added: 0,
  });
  expect((await valuesOf(operator, of)).sort()).toEqual(allItems(of).sort());
  await takeFromCase(operator, { workspaceId, caseId, item: ADDRESS });
  await commentOnCase(analyst, { workspaceId, caseId, text: "One script.\nThe same card." });
  await setCaseStatus(analyst, { workspaceId, caseId, status: "closed" });
  await assignCase(analyst, { workspaceId, caseId, assigneeId: analyst.actor.userId });
  const found = await readCase(operator, { workspaceId, caseId });
  expect(found).toMatchObject({ status: "closed", assigneeId: analyst.actor.userId });
  expect(found.entries.map(({ kind }) => kind)).toEqual([
    ...["assigned", "status", "comment", "removed"],
    ...Array<string>(5).fill("added"),
    "created",
  ]);
  await addToCase(operator, { ...(await createInvestigationOf(workspaceId)), items: [of.deviceId] });
  const { cases } = await listCases(analyst, { workspaceId, statuses: ["closed"], assigneeId: analyst.actor.userId });
  expect(cases).toMatchObject([{ caseId, items: 4 }]);
  expect((await listCases(analyst, { workspaceId, statuses: ["open", "in_progress"] })).cases).toMatchObject([
    { name: "Another", items: 1 },
  ]);
});

test("unknown items, another workspace's visit and invalid identifiers are not added, alone or with others", async () => {
  const of = await createInvestigation();
  const { workspaceId, caseId } = of;
  const other = await createInvestigation();
  const add = (items: string[]) => addToCase(operator, { workspaceId, caseId, items });
  const unknown = [newImprint(Date.now()), newId("device"), newId("account"), "87.128.7.9"];
  for (const item of [...unknown, ...other.imprints, other.deviceId, other.accountId])
    await expect(add([of.deviceId, item])).rejects.toMatchObject({ code: "not_found" });
  for (const items of [[], ["'; drop table cases"], Array<string>(101).fill(of.deviceId)])
    await expect(add(items)).rejects.toMatchObject({ code: "invalid_request" });
  expect(await valuesOf(operator, of)).toEqual([]);
  await expect(readCase(operator, { workspaceId: other.workspaceId, caseId })).rejects.toMatchObject({
    code: "not_found",
  });
  const late = assignCase(operator, { workspaceId, caseId, assigneeId: newId("user") });
  await expect(late).rejects.toMatchObject({ code: "invalid_request" });
});

test("the evidence is exported as a page and a file, with the hashes of the Reports as served by the API, and all accounts", async () => {
  const of = await createInvestigation();
  const { workspaceId, caseId, site } = of;
  await addToCase(operator, { workspaceId, caseId, items: [of.deviceId], note: "<script>alert(1)</script>" });
  await commentOnCase(operator, { workspaceId, caseId, text: "=cmd|' /C calc'!A0 <b>bold</b>" });
  const page = await whole(exportCase(operator, { workspaceId, caseId, format: "html" }));
  const file = await whole(exportCase(operator, { workspaceId, caseId, format: "csv" }));
  expect(page).toMatchObject({ visits: 2, accounts: 1 });
  for (const imprint of of.imprints) {
    const body = await (await readReport(site.apiKey, imprint)).text();
    const sha256 = createHash("sha256").update(body).digest("hex");
    for (const { text } of [page, file]) {
      expect(text).toContain(imprint);
      expect(text).toContain(sha256);
    }
  }
  for (const { text } of [page, file]) expect(text).toContain(of.accountId);
  expect(page.text).toContain("&lt;script&gt;alert(1)");
  expect(page.text).not.toMatch(/<script|<b>|\bsrc=|\bhref=/);
  const { entries } = await readCase(operator, { workspaceId, caseId });
  expect(entries.filter(({ kind }) => kind === "exported")).toHaveLength(2);
  const alone = await whole(exportEvidence(operator, { workspaceId, item: ADDRESS, format: "csv" }));
  expect(alone.text).toContain(of.accountId);
  const { entries: audited } = await listAudit(operator, { workspaceId });
  expect(audited.map(({ action }) => action)).toEqual(expect.arrayContaining(["case.export", "export.create"]));
  expect(JSON.stringify(audited)).not.toMatch(/87\.128|acc_|Sign-ups|script/);
});

test("members who may not see addresses cannot add, read or export them, and a plan without accounts shows none", async () => {
  const of = await createInvestigation();
  const { workspaceId, caseId } = of;
  await addToCase(operator, { workspaceId, caseId, items: allItems(of), note: `at ${ADDRESS}` });
  const analyst = await memberContext(db, workspaceId, "analyst");
  for (const call of [
    () => addToCase(analyst, { workspaceId, caseId, items: [ADDRESS] }),
    () => takeFromCase(analyst, { workspaceId, caseId, item: ADDRESS }),
    () => exportEvidence(analyst, { workspaceId, item: ADDRESS, format: "csv" }),
  ])
    await expect(call()).rejects.toMatchObject({ code: "forbidden" });
  const seen = await readCase(analyst, { workspaceId, caseId });
  expect(seen.items.find(({ kind }) => kind === "address")).toMatchObject({ value: undefined, note: "" });
  const withoutNotes = (text: string) => text.replaceAll(`at ${ADDRESS}`, "");
  for (const format of ["html", "csv"] as const)
    expect(withoutNotes((await whole(exportCase(analyst, { workspaceId, caseId, format }))).text)).not.toContain(
      "87.128",
    );
  await setMemberRole(operator, { workspaceId, userId: analyst.actor.userId, role: "analyst", canSeeAddresses: true });
  expect(await valuesOf(analyst, of)).toContain(ADDRESS);
  await setPlan(operator, { workspaceId, plan: "lite" });
  expect(await valuesOf(analyst, of)).not.toContain(of.accountId);
  expect((await whole(exportCase(analyst, { workspaceId, caseId, format: "html" }))).text).not.toContain(of.accountId);
});

/** Everything stored about a case. */
const wholeCase = async (of: Pick<Investigation, "workspaceId" | "caseId">) =>
  JSON.stringify([await readCase(operator, of), (await whole(exportCase(operator, { ...of, format: "html" }))).text]);

test("an erased device leaves no trace in a case: its items, their history and its ids in comments are gone", async () => {
  const of = await createInvestigation();
  const { workspaceId, caseId, deviceId, imprints } = of;
  await addToCase(operator, { workspaceId, caseId, items: allItems(of) });
  await takeFromCase(operator, { workspaceId, caseId, item: imprints[0] });
  await commentOnCase(operator, { workspaceId, caseId, text: `${deviceId} made ${imprints[0]}, not ${imprints[0]}0` });
  await deleteDevice(operator, { workspaceId, deviceId });
  const kept = await wholeCase(of);
  expect(kept).not.toContain(deviceId);
  expect(kept).not.toContain(imprints[1]);
  expect(kept).toContain(`[erased] made [erased], not ${imprints[0]}0`);
  expect((await valuesOf(operator, of)).sort()).toEqual([ADDRESS, of.accountId].sort());
});

test("an erased account disappears by its id and by the reference that somebody wrote", async () => {
  const of = await createInvestigation("user.4711");
  const { workspaceId, caseId, accountId } = of;
  await addToCase(operator, { workspaceId, caseId, items: allItems(of) });
  await commentOnCase(operator, { workspaceId, caseId, text: "user.4711 called; user-4711 and user.47112 did not" });
  await deleteAccount(operator, { workspaceId, accountRef: "user.4711" });
  const kept = await wholeCase(of);
  expect(kept).not.toContain(accountId);
  expect(kept).toContain("[erased] called; user-4711 and user.47112 did not");
});

/** Runs the job as if `days` later. */
const purge = (days: number) =>
  deleteOldCaseItems(
    {
      db,
      now: new Date(Date.now() + days * 24 * 60 * MINUTE_MS),
      signal: new AbortController().signal,
      progress: "",
      saveProgress: () => Promise.resolve(),
    },
    400,
  );

test("visits and addresses leave a case when their retention ends, and other items stay", async () => {
  const of = await createInvestigation();
  const { workspaceId, caseId } = of;
  await setRetention(operator, { workspaceId, days: 30 });
  await addToCase(operator, { workspaceId, caseId, items: allItems(of) });
  await commentOnCase(operator, { workspaceId, caseId, text: `See ${of.imprints[0]}` });
  await purge(29);
  expect(await valuesOf(operator, of)).toHaveLength(5);
  await purge(31);
  expect((await valuesOf(operator, of)).sort()).toEqual([of.deviceId, of.accountId].sort());
  const kept = JSON.stringify(await readCase(operator, of));
  expect(kept).not.toContain(of.imprints[0]);
  expect(kept).not.toContain(ADDRESS);
});

test("a case stops at its maximum number of items, and pages of a long history contain every entry once", async () => {
  const site: Site = await createSite(db);
  const { workspaceId } = site;
  const { caseId } = await createCase(operator, { workspaceId, name: "Long" });
  for (let number = 0; number < 60; number += 1)
    await commentOnCase(operator, { workspaceId, caseId, text: `${number}` });
  const first = await readCase(operator, { workspaceId, caseId });
  const second = await readCase(operator, { workspaceId, caseId, cursor: first.nextCursor });
  const texts = [...first.entries, ...second.entries].map(({ text }) => text);
  expect(texts).toEqual([...Array.from({ length: 60 }, (_, at) => String(59 - at)), "Long"]);
  expect(second.nextCursor).toBeUndefined();
  for (const text of ["", " \n ", "x".repeat(4_001), "a\u202eb", "\u0000"])
    await expect(commentOnCase(operator, { workspaceId, caseId, text })).rejects.toMatchObject({
      code: "invalid_request",
    });
});
