import { afterAll, expect, test } from "vitest";

import { openStreamingPair } from "@/test/streaming-replica";
import { readActions } from "./console/actions";
import { createSite, readReport, startService, TEST_SECRETS, visit } from "./service";

const OWNER = "owner@example.com";

const cleanUp: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of cleanUp.reverse()) await step();
});
const { primary, standby } = await openStreamingPair(cleanUp);
// A lag bound that is never reached, so that reads show what the replica lacks.
const replica = { DATABASE_READ_URL: standby.url, DATABASE_READ_MAX_LAG_SECONDS: "300" };
const service = await startService({ databaseUrl: primary.url, environment: { ...TEST_SECRETS, ...replica } });
cleanUp.push(() => service.stop());
const site = await createSite(service);
const { user_id: userId } = await service.admin(
  ...["member", "add", "--workspace", site.workspaceId, "--email", OWNER, "--role", "owner"],
);
// A workspace must keep one owner.
await service.admin(
  "member",
  "add",
  "--workspace",
  site.workspaceId,
  "--email",
  "other@example.com",
  "--role",
  "owner",
);
const session = `authjs.session-token=${await service.openSession(OWNER)}`;
const home = `${service.url}/w/${site.workspaceId}`;

const exportReports = async (cookie: string) =>
  (await fetch(`${home}/reports/export?format=csv`, { headers: { Cookie: cookie } })).text();
const historyStatus = async (imprint: string) => {
  const path = `/api/v1/fingerprint/imprint/${imprint}/history`;
  return (await fetch(service.url + path, { headers: { "X-API-Key": site.apiKey } })).status;
};

/** Makes a change as a page does; returns the response's cookies. */
async function renameWorkspace(): Promise<string> {
  const action = readActions().find(({ name }) => name === "renameWorkspaceAction");
  const answer = await fetch(`${home}/settings`, {
    method: "POST",
    headers: {
      ...{ "Next-Action": action?.id ?? "", "Content-Type": "text/plain;charset=UTF-8", Accept: "text/x-component" },
      ...{ Origin: service.url, Cookie: session },
    },
    body: JSON.stringify([{ workspaceId: site.workspaceId, name: "Renamed" }, userId]),
  });
  expect(await answer.text()).toContain('"ok":true');
  return answer.headers.getSetCookie().join("; ");
}

test("lists and files come from the replica; Reports and History of new visits, and a person's own changes, do not", async () => {
  const before = await visit(service.url, site);
  await expect.poll(() => exportReports(session), { timeout: 10_000 }).toContain(before);
  // From here on the replica receives no more changes.
  await standby.asAdministrator("select pg_wal_replay_pause()");
  const imprint = await visit(service.url, site);
  await expect.poll(async () => (await exportReports(session)).includes(imprint), { timeout: 10_000 }).toBe(false);
  expect((await readReport(service.url, site.apiKey, imprint)).status).toBe(200);
  expect((await readReport(service.url, site.apiKey, imprint)).headers.get("imprint-delivery")).toBe("repeat");
  expect(await historyStatus(imprint)).toBe(200);

  const cookies = await renameWorkspace();
  expect(cookies).toMatch(/imprint-recent-write=1;.*Max-Age=310;.*HttpOnly/i);
  expect(await exportReports(`${session}; imprint-recent-write=1`)).toContain(imprint);
  // Permissions are never read from the replica.
  await service.admin("member", "remove", "--workspace", site.workspaceId, "--email", OWNER);
  expect(await exportReports(session)).not.toContain(before);
});

test("readers do not notice when the replica dies", async () => {
  await service.admin("member", "add", "--workspace", site.workspaceId, "--email", OWNER, "--role", "owner");
  await standby.kill();
  const imprint = await visit(service.url, site);
  expect(await exportReports(session)).toContain(imprint);
  expect(await historyStatus(imprint)).toBe(200);
});
