import { expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { AppError } from "@/lib/contract/errors";
import { readReportOperation } from "@/lib/contract/report";
import { issueChallengeOperation } from "@/lib/contract/submission";
import { flushCalls, readUsage } from "@/lib/metering";
import { flushKeyUses, readKeyUses } from "@/lib/tenancy/api-keys";
import { createSite, type Site } from "@/test/visits";
import { operatorContext } from "@/test/workspaces";
import type { ApiRequest } from "../exchange";
import { newTrace, recordCall } from "./record-call";

const { db } = await createTestDatabase();

const request: ApiRequest = {
  method: "GET",
  pathname: "",
  search: "",
  headers: { "user-agent": "shop/1" },
  readBody: () => "",
  address: "192.0.2.5",
  requestId: "req_1",
};

async function recorded({ workspaceId, keyId }: Site) {
  await flushCalls();
  await flushKeyUses();
  const { operations } = await readUsage(operatorContext(db), { workspaceId });
  const { uses } = await readKeyUses(operatorContext(db), { workspaceId, keyId });
  return {
    calls: operations.map(({ operation, outcomes }) => ({ operation, ...outcomes })),
    uses: uses.map(({ operation, code, agent }) => [operation, code, agent]),
  };
}

test("a refused call with a key is counted here, and logged for its key with its error code", async () => {
  const site = await createSite(db);
  const { workspaceId, keyId } = site;
  const trace = { ...newTrace(), attribution: { workspaceId, keyId } };
  recordCall({ operation: readReportOperation, request, trace, error: new AppError("rate_limited") });
  expect(await recorded(site)).toEqual({
    calls: [{ operation: "readReport", rate: 1 }],
    uses: [["readReport", "rate_limited", "shop/1"]],
  });
});

test("a call already counted by its handler is not counted again, but is logged for its key", async () => {
  const site = await createSite(db);
  const { workspaceId, keyId } = site;
  const trace = { ...newTrace(), attribution: { workspaceId, keyId }, handlerStarted: true };
  recordCall({ operation: readReportOperation, request, trace });
  expect(await recorded(site)).toEqual({ calls: [], uses: [["readReport", "", "shop/1"]] });
});

test("a page's call is counted for its Web App; an unattributed call is not recorded", async () => {
  const site = await createSite(db);
  const { workspaceId, webAppId } = site;
  const trace = { ...newTrace(), attribution: { workspaceId, webAppId }, handlerStarted: true };
  recordCall({ operation: issueChallengeOperation, request, trace });
  recordCall({ operation: issueChallengeOperation, request, trace: newTrace() });
  expect(await recorded(site)).toEqual({ calls: [{ operation: "issueChallenge", served: 1 }], uses: [] });
});
