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

/** Asks who calls with the headers and body, and notes what limits it met and whom the call was counted for. */
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

test("a key speaks for its workspace, which pays for the call", async () => {
  const site = await createSite(db);
  const { facts, limits, attributions } = callWith({ "x-api-key": site.apiKey });
  expect(await identifyCaller(readReportOperation, facts)).toMatchObject({
    kind: "apiKey",
    principal: { workspaceId: site.workspaceId, keyId: site.keyId },
  });
  expect(attributions).toMatchObject([{ workspaceId: site.workspaceId, keyId: site.keyId }]);
  expect(limits()).toHaveLength(1);
});

test("a wrong key is refused, belongs to nobody, and costs its address a permit of failed attempts", async () => {
  const { facts, limits, attributions } = callWith({ "x-api-key": "sk_live_wrong" });
  await expect(identifyCaller(readReportOperation, facts)).rejects.toMatchObject({ code: "auth_failed" });
  expect(attributions).toEqual([]);
  expect(limits()).toEqual(["failed-authentication"]);
});

test("a page speaks for the environment that it names, from an origin that this allows", async () => {
  const site = await createSite(db);
  const { facts, attributions } = pageOf(site);
  expect(await identifyCaller(issueChallengeOperation, facts)).toMatchObject({
    kind: "origin",
    principal: { environmentId: site.environmentId, origin: site.origin },
  });
  expect(attributions).toMatchObject([{ workspaceId: site.workspaceId, webAppId: site.webAppId }]);
});

test("a foreign origin is refused, and counted for the Web App that it named", async () => {
  const site = await createSite(db);
  const { facts, attributions } = pageOf(site, "https://attacker.example");
  await expect(identifyCaller(issueChallengeOperation, facts)).rejects.toMatchObject({ code: "origin_not_allowed" });
  expect(attributions).toMatchObject([{ webAppId: site.webAppId }]);
});

test("credentials count only where the operation takes them", async () => {
  const site = await createSite(db);
  expect(identifyCaller(listProductsOperation, callWith({ "x-api-key": site.apiKey }).facts)).toBeUndefined();
  await expect(
    identifyCaller(readReportOperation, callWith({ authorization: `Bearer ${site.apiKey}` }).facts),
  ).rejects.toMatchObject({ code: "auth_failed" });
});
