import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import type { Signals } from "@/lib/contract/signals";
import { Report } from "@/lib/contract/report";
import { idToUuid } from "@/lib/contract/ids";
import { openNetworkData } from "@/lib/visits/network";
import { mmdbFile } from "@/test/network-data";
import { TEST_SECRETS } from "@/test/secrets";
import { createSite, readReport, requestChallenge, type Site, submissionBody, submit, visit } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import { publishSecrets } from "@/lib/platform/secrets";
import { readDevice, readShadow } from "./index";
import { iphoneSignals, letEvidenceAge, particularSignals, signalsOfVersion } from "@/test/devices";

const { db } = await createTestDatabase({ poolSize: 20 });

const folder = mkdtempSync(join(tmpdir(), "imprint-devices-"));
beforeAll(async () => {
  const anonymous = join(folder, "anonymous");
  const record = { is_hosting_provider: true };
  writeFileSync(anonymous, mmdbFile({ "88.198.0.0/16": record }, { type: "GeoIP2-Anonymous-IP" }));
  await openNetworkData(folder, { files: { anonymous }, locatePackage: () => undefined });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const SERVER = "88.198.1.1";
const HOME = "87.128.7.7";
const HOTEL = "145.224.9.9";

const reportOf = async (site: Site, imprint: string) =>
  Report.parse(await (await readReport(site.apiKey, imprint)).json());

/** Makes a visit with a token that the workspace does not know; resolves to its device. */
async function visitOf(site: Site, options: { signals?: Signals; address?: string; token?: string } = {}) {
  const { imprint, token } = await visit(site, options);
  const { device, risk } = await reportOf(site, imprint);
  return { imprint, token, device, risk };
}

type Answered = { imprint: string; token?: string };

/** The same browser on a machine with a quarter of the cores. */
const onOtherMachine = (signals: Signals): Signals => ({
  ...signals,
  navigator:
    signals.navigator?.state === "ok"
      ? { state: "ok", value: { ...signals.navigator.value, hardwareConcurrency: 2, deviceMemory: 4 } }
      : { state: "absent" },
});

/** Two simultaneous submissions from browsers without a token. */
async function atOnce(site: Site, signals: Signals) {
  const issued = await Promise.all([requestChallenge(site), requestChallenge(site)]);
  const answers = await Promise.all(
    issued.map(({ challenge, token }) =>
      submit(site, submissionBody(site, { challenge, token, signals }), { address: HOME }),
    ),
  );
  const imprints = await Promise.all(
    answers.map(async (answer) => ((await answer.json()) as { imprint: string }).imprint),
  );
  return await Promise.all(imprints.map(async (imprint) => (await reportOf(site, imprint)).device.id));
}

test("a distinctive device is recognised at home without its token, and the new token is bound to it", async () => {
  const site = await createSite(db);
  const first = await visitOf(site, { signals: particularSignals(), address: HOME });
  await letEvidenceAge(db, site.workspaceId);
  const cleared = await visitOf(site, { signals: particularSignals(), address: HOME });
  expect(cleared.token).not.toBe(first.token);
  expect(cleared.device).toMatchObject({ id: first.device.id, seen_before: true, access_count: 2 });
  const moved = await visitOf(site, {
    signals: particularSignals({ width: 1920, timeZone: "Asia/Tokyo" }),
    address: HOTEL,
    token: cleared.token,
  });
  expect(moved.device).toMatchObject({ id: first.device.id, access_count: 3 });
  const view = await readDevice(operatorContext(db), { workspaceId: site.workspaceId, deviceId: first.device.id });
  expect(view).toMatchObject({
    visits: 3,
    tokens: 2,
    browserFamily: "chrome",
    systemFamily: "windows",
    mayDelete: true,
  });
  expect(view.links.map(({ identity }) => identity?.by)).toEqual(["token", "evidence", "evidence"]);
  const [, second] = view.links;
  expect(second?.identity).toMatchObject({ by: "evidence", outcome: "linked" });
  expect(second?.identity?.by === "evidence" && second.identity.confidence).toBeGreaterThanOrEqual(0.97);
});

test("an exact twin is another device in another home, next to the first one, and while nothing was learnt", async () => {
  const site = await createSite(db);
  const first = await visitOf(site, { signals: particularSignals(), address: HOME });
  const early = await visitOf(site, { signals: particularSignals(), address: HOME });
  expect(early.device).toMatchObject({ seen_before: false });
  await letEvidenceAge(db, site.workspaceId);
  for (const address of [HOTEL, HOME, "2003:c1:2:3::1"]) {
    const twin = await visitOf(site, { signals: particularSignals(), address });
    expect([first.device.id, early.device.id]).not.toContain(twin.device.id);
  }
});

test("identical phones are different devices, even simultaneously on one network", async () => {
  const site = await createSite(db);
  const phones = [
    await visitOf(site, { signals: iphoneSignals(), address: HOME }),
    await visitOf(site, { signals: iphoneSignals(), address: HOME }),
  ].map(({ device }) => device.id);
  const devices = [...phones, ...(await atOnce(site, iphoneSignals()))];
  expect(new Set(devices).size).toBe(4);
});

test("a device is not recognised from another workspace, and the workspaces' keys have nothing in common", async () => {
  const [one, other] = [await createSite(db), await createSite(db)];
  const first = await visitOf(one, { signals: particularSignals(), address: HOME });
  const second = await visitOf(other, { signals: particularSignals(), address: HOME });
  expect(second.device.id).not.toBe(first.device.id);
  const rows = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from network_tokens a join network_tokens b
      on (a.network = b.network or a.model = b.model) and a.workspace_id <> b.workspace_id`);
  expect(rows[0]?.count).toBe(0);
});

test("a copied token is SUSPICIOUS and leads to no link, and its owner keeps it", async () => {
  const site = await createSite(db);
  const owner = await visitOf(site, { signals: particularSignals(), address: HOME });
  const copied = await visitOf(site, { signals: iphoneSignals(), address: HOME, token: owner.token });
  expect(copied.device.id).not.toBe(owner.device.id);
  expect(copied.risk.findings).toContainEqual({ reason: "ENVIRONMENT_INCONSISTENT", status: "SUSPICIOUS" });
  const back = await visitOf(site, { signals: particularSignals(), address: HOME, token: owner.token });
  expect(back.device).toMatchObject({ id: owner.device.id, access_count: 2 });
  expect(back.risk.findings).toEqual([]);
});

test("visits with a copied token and higher versions never lock its owner out", async () => {
  const site = await createSite(db);
  const owner = await visitOf(site, { signals: signalsOfVersion(142), address: HOME });
  for (const version of [144, 150, 999])
    await visitOf(site, { signals: signalsOfVersion(version), address: HOTEL, token: owner.token });
  const back = await visitOf(site, { signals: signalsOfVersion(142), address: HOME, token: owner.token });
  expect(back.device).toMatchObject({ id: owner.device.id, access_count: 5 });
  expect(back.risk.findings).toEqual([]);
  const older = await visitOf(site, { signals: signalsOfVersion(140), address: HOTEL, token: owner.token });
  expect(older.device.id).not.toBe(owner.device.id);
});

test("a visit with a copied token leaves the owner's device recognisable without its token", async () => {
  const site = await createSite(db);
  const owner = await visitOf(site, { signals: particularSignals(), address: HOME });
  for (const copier of [{ version: 999 }, { gpu: "ANGLE (Intel)", width: 1366, timeZone: "Asia/Tokyo", version: 143 }])
    await visitOf(site, { signals: particularSignals(copier), address: HOTEL, token: owner.token });
  await letEvidenceAge(db, site.workspaceId);
  const cleared = await visitOf(site, { signals: particularSignals(), address: HOME });
  expect(cleared.device.id).toBe(owner.device.id);
});

test("a client whose token is refused gets a new one with its answer and is its own device from then on", async () => {
  const site = await createSite(db);
  const owner = await visitOf(site, { signals: particularSignals(), address: HOME });
  const sendWith = async (token: string) => {
    const { challenge } = await requestChallenge(site, { token });
    const body = submissionBody(site, { challenge, token, signals: iphoneSignals() });
    const answers = [await submit(site, body, { address: HOTEL }), await submit(site, body, { address: HOTEL })];
    const [first, again] = await Promise.all(answers.map(async (answer) => (await answer.json()) as Answered));
    expect(again).toEqual(first);
    return first ?? { imprint: "" };
  };
  const refused = await sendWith(owner.token);
  expect(refused.token).toMatch(/^[A-Za-z0-9_-]{44}$/);
  expect(refused.token).not.toBe(owner.token);
  const { device } = await reportOf(site, refused.imprint);
  const next = await sendWith(refused.token ?? "");
  expect(next).not.toHaveProperty("token");
  const returned = await reportOf(site, next.imprint);
  expect(returned.device).toMatchObject({ id: device.id, access_count: 2 });
  expect(returned.risk.reasons).not.toContain("ENVIRONMENT_INCONSISTENT");
  expect(device.id).not.toBe(owner.device.id);
});

test("a token that is not refused is not replaced", async () => {
  const site = await createSite(db);
  const { token } = await visit(site, { signals: particularSignals() });
  const { challenge } = await requestChallenge(site, { token });
  const answer = await submit(site, submissionBody(site, { challenge, token, signals: particularSignals() }));
  expect(Object.keys((await answer.json()) as Answered)).toEqual(["imprint"]);
});

test("visits with a valid token measure what the evidence alone would have decided", async () => {
  const site = await createSite(db);
  const context = operatorContext(db);
  const desktop = await visitOf(site, { signals: particularSignals(), address: HOME });
  await letEvidenceAge(db, site.workspaceId);
  expect(await readShadow(context, site)).toEqual({ agreed: 0, missed: 0, wrong: 0 });
  await visitOf(site, { signals: particularSignals(), address: HOME, token: desktop.token });
  const phone = await visitOf(site, { signals: iphoneSignals(), address: HOME });
  await visitOf(site, { signals: iphoneSignals(), address: HOME, token: phone.token });
  expect(await readShadow(context, site)).toEqual({ agreed: 1, missed: 1, wrong: 0 });
});

test("a token is recorded in its network once a day, with how it came there", async () => {
  const site = await createSite(db);
  const workspace = sql`${idToUuid(site.workspaceId)}::uuid`;
  const seen = async () => [
    ...(await db.execute(sql`
      select days, stratum, (clock_timestamp() at time zone 'UTC')::date - first_day as since, xmin::text as version
      from network_tokens where workspace_id = ${workspace}`)),
  ];
  const first = await visitOf(site, { signals: particularSignals(), address: HOME });
  const before = await seen();
  expect(before).toMatchObject([{ days: 1, stratum: "desktop/0/0/-", since: 0 }]);
  await visitOf(site, { signals: particularSignals(), address: HOME, token: first.token });
  expect(await seen()).toEqual(before);
  await db.execute(sql`update network_tokens set first_day = first_day - 1, last_day = last_day - 1`);
  await visitOf(site, { signals: particularSignals(), address: HOME, token: first.token });
  expect(await seen()).toMatchObject([{ days: 2, stratum: "desktop/0/0/-", since: 1 }]);
});

test("addresses shared by many strangers are neither used nor stored", async () => {
  const site = await createSite(db);
  await visitOf(site, { signals: particularSignals(), address: SERVER });
  const rows = await db.execute(
    sql`select 1 from network_tokens where workspace_id = ${idToUuid(site.workspaceId)}::uuid`,
  );
  expect(rows).toHaveLength(0);
});

test("a token on a machine with other parts leads to no link, never passes and has no effect on its owner", async () => {
  const site = await createSite(db);
  const owner = await visitOf(site, { signals: particularSignals(), address: HOME });
  const stolen = await visitOf(site, {
    signals: onOtherMachine(particularSignals({ gpu: "ANGLE (Intel, Intel(R) UHD Graphics 620 Direct3D11)" })),
    address: HOTEL,
    token: owner.token,
  });
  expect(stolen.device).toMatchObject({ seen_before: false });
  expect(stolen.device.id).not.toBe(owner.device.id);
  expect(stolen.risk.findings).toContainEqual({ reason: "ENVIRONMENT_INCONSISTENT", status: "SUSPICIOUS" });
  const newCard = await visitOf(site, {
    signals: particularSignals({ gpu: "ANGLE (AMD, AMD Radeon RX 6700 XT Direct3D11)" }),
    address: HOME,
    token: owner.token,
  });
  expect(newCard.device.id).toBe(owner.device.id);
  expect(newCard.risk.reasons).toContain("ENVIRONMENT_INCONSISTENT");
  const back = await visitOf(site, { signals: particularSignals(), address: HOME, token: owner.token });
  expect(back.device.id).toBe(owner.device.id);
  expect(back.risk.findings).toEqual([]);
});

test("after a pepper change, devices are recognised by their tokens and evidence starts afresh", async () => {
  const site = await createSite(db);
  const first = await visitOf(site, { signals: particularSignals(), address: HOME });
  await letEvidenceAge(db, site.workspaceId);
  const [old, fresh] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString("base64"));
  const secrets = { authSecret: "test-auth-secret-test-auth-secret", keks: `k1:${old}` };
  publishSecrets({ ...secrets, keyPepper: `k2:${fresh},k1:${old}` });
  try {
    const later = await visitOf(site, { signals: particularSignals(), address: HOME, token: first.token });
    expect(later.device.id).toBe(first.device.id);
    const cleared = await visitOf(site, { signals: particularSignals(), address: HOME });
    expect(cleared.device.id).not.toBe(first.device.id);
  } finally {
    publishSecrets(TEST_SECRETS);
  }
});
