import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { readReportOperation } from "@/lib/contract/report";
import { issueChallengeOperation } from "@/lib/contract/submission";
import { listProductsOperation } from "@/lib/contract/product";
import { findUsableKey } from "@/lib/tenancy/api-keys";
import { createSite, type Site } from "@/test/visits";
import type { Decision } from "@/lib/platform/limits";
import type { ApiRequest } from "../exchange";
import { type Attribution, identifyCaller } from "./authenticate";

const { db } = await createTestDatabase();

/** Identifies the caller by headers and body, and records the limits applied and whom the call was attributed to. */
function callWith(headers: ApiRequest["headers"], json?: unknown) {
  const decisions: Decision[] = [];
  const attributions: Attribution[] = [];
  const request = { method: "", pathname: "", search: "", headers, readBody: () => "", requestId: "req_1" };
  const facts = {
    db,
    request: { ...request, address: "192.0.2.77" },
    visitor: undefined,
    json,
    environmentRow: undefined,
    params: {},
    findKey: findUsableKey,
    gate: (decision: Decision) => void decisions.push(decision),
    attribute: (to: Attribution) => void attributions.push(to),
  };
  return { facts, limits: () => decisions.map(({ limit }) => limit.name), attributions };
}

const pageOf = ({ environmentId, origin }: Site, from = origin) =>
  callWith({ origin: from }, { environment_id: environmentId });

test("a key identifies its workspace, to which the call is attributed", async () => {
  const site = await createSite(db);
  const { facts, limits, attributions } = callWith({ "x-api-key": site.apiKey });
  expect(await identifyCaller(readReportOperation, facts)).toMatchObject({
    kind: "apiKey",
    principal: { workspaceId: site.workspaceId, keyId: site.keyId },
  });
  expect(attributions).toMatchObject([{ workspaceId: site.workspaceId, keyId: site.keyId }]);
  expect(limits()).toHaveLength(1);
});

test("a wrong key is refused, attributed to nobody, and counts against its address's failed attempts", async () => {
  const { facts, limits, attributions } = callWith({ "x-api-key": "sk_live_wrong" });
  await expect(identifyCaller(readReportOperation, facts)).rejects.toMatchObject({ code: "auth_failed" });
  expect(attributions).toEqual([]);
  expect(limits()).toEqual(["failed-authentication"]);
});

test("a page is identified by the environment it names, if that allows its origin", async () => {
  const site = await createSite(db);
  const { facts, attributions } = pageOf(site);
  expect(await identifyCaller(issueChallengeOperation, facts)).toMatchObject({
    kind: "origin",
    principal: { environmentId: site.environmentId, origin: site.origin },
  });
  expect(attributions).toMatchObject([{ workspaceId: site.workspaceId, webAppId: site.webAppId }]);
});

test("a disallowed origin is refused, and attributed to the Web App that it named", async () => {
  const site = await createSite(db);
  const { facts, attributions } = pageOf(site, "https://attacker.example");
  await expect(identifyCaller(issueChallengeOperation, facts)).rejects.toMatchObject({ code: "origin_not_allowed" });
  expect(attributions).toMatchObject([{ webAppId: site.webAppId }]);
});

test("credentials are read only from where the operation expects them", async () => {
  const site = await createSite(db);
  expect(identifyCaller(listProductsOperation, callWith({ "x-api-key": site.apiKey }).facts)).toBeUndefined();
  await expect(
    identifyCaller(readReportOperation, callWith({ authorization: `Bearer ${site.apiKey}` }).facts),
  ).rejects.toMatchObject({ code: "auth_failed" });
});
