import { expect, test } from "vitest";

import { listClients, listToolCalls } from "@/lib/interfaces/oauth";
import { readUnits, readUsage } from "@/lib/metering";
import { createPermissionFixture } from "@/test/permissions/fixture";
import type { Context } from "@/lib/platform/context";
import { countRecentCalls, listFailingKeys, listKeys, readKeyUses } from "@/lib/tenancy/api-keys";
import { listCases, readCase } from "@/lib/tenancy/cases";
import { listManagementKeys } from "@/lib/tenancy/management";
import { listViews } from "@/lib/tenancy/views";
import { listDeliveries, listEndpoints, readDelivery } from "@/lib/tenancy/webhooks";
import { countRefusedOrigins, listRefusedOrigins, listWebApps, readWebApp } from "@/lib/tenancy/web-apps";
import { listAudit, listInvitations, listMembers, readWorkspace } from "@/lib/tenancy/workspaces";
import { listDeviceAccounts, readAccount } from "@/lib/visits/account-map";
import { listAlerts } from "@/lib/visits/alerts";
import {
  listDeviceAddresses,
  listDevices,
  readAddress,
  readDevice,
  readDevices,
  readLinkControl,
  readShadow,
} from "@/lib/visits/devices";
import { compareVisits, openCase, readLinks, summariseCase, summariseSubject } from "@/lib/visits/investigation";
import { listLabels, readLabels } from "@/lib/visits/labels";
import {
  countReports,
  findSubject,
  listReports,
  readDeviceVisits,
  readReportForConsole,
  watchFirstVisit,
} from "@/lib/visits/reports";
import { listRules, readRule } from "@/lib/visits/rules";
import { explore, findUnusual, listBusiest, recountSlices, summariseVisits } from "@/lib/visits/slices";
import { createTestDatabase } from "@/test/database";
import { shardsTouchedBy } from "@/test/shards";
import { createSite, readReport, visit } from "@/test/visits";
import { memberContext, operatorContext } from "@/test/workspaces";

const { db, pool } = await createTestDatabase();

const ADDRESS = "198.51.100.77";
const DAY_MS = 86_400_000;

async function createVisits() {
  const site = await createSite(db);
  const { workspaceId } = site;
  const first = await visit(site, { address: ADDRESS });
  const second = await visit(site, { address: ADDRESS });
  const answer = await readReport(site.apiKey, first.imprint, { "x-account-ref": "42" });
  const report = (await answer.json()) as { device: { id: string } };
  const context = await memberContext(db, workspaceId, "owner");
  await recountSlices(db, workspaceId);
  const { accounts } = await listDeviceAccounts(context, { workspaceId, deviceId: report.device.id });
  const { caseId } = await openCase(context, { workspaceId, name: "Robots", items: [first.imprint] });
  return {
    ...{ workspaceId, context, caseId, webAppId: site.webAppId, deviceId: report.device.id },
    ...{ imprint: first.imprint, other: second.imprint, accountId: accounts[0]?.accountId ?? "" },
  };
}

type Visits = Awaited<ReturnType<typeof createVisits>>;
type Resources = Awaited<ReturnType<typeof createPermissionFixture>>;
type Read<Data> = readonly [string, (context: Context, data: Data) => Promise<unknown>];

const range = () => ({ from: new Date(Date.now() - 30 * DAY_MS), to: new Date(Date.now() + DAY_MS) });
const starts = () => [new Date(Date.now() - 2 * DAY_MS), new Date(Date.now() - DAY_MS)];
const item = ({ imprint }: Visits) => [{ kind: "visit" as const, value: imprint }];

/** Reads of visits by Console pages. */
const OF_VISITS: readonly Read<Visits>[] = [
  ["listReports", (context, { workspaceId }) => listReports(context, { workspaceId, ...range() })],
  ["countReports", (context, { workspaceId }) => countReports(context, { workspaceId, ...range(), starts: starts() })],
  ["readReportForConsole", readReportForConsole],
  ["readDeviceVisits", readDeviceVisits],
  ["watchFirstVisit", (context, { workspaceId }) => watchFirstVisit(context, { workspaceId, since: null })],
  ["findSubject", (context, { workspaceId, imprint }) => findSubject(context, { workspaceId, text: imprint })],
  ["summariseVisits", (context, { workspaceId }) => summariseVisits(context, { workspaceId, ...range() })],
  ["listBusiest", (context, { workspaceId }) => listBusiest(context, { workspaceId, ...range() })],
  ["findUnusual", findUnusual],
  ["explore", (context, { workspaceId }) => explore(context, { workspaceId, dimensions: ["browser"], ...range() })],
  [
    "explore by two",
    (context, { workspaceId }) => explore(context, { workspaceId, dimensions: ["browser", "country"], ...range() }),
  ],
  ["listDevices", (context, { workspaceId }) => listDevices(context, { workspaceId })],
  ["readDevices", (context, { workspaceId, deviceId }) => readDevices(context, { workspaceId, deviceIds: [deviceId] })],
  ["readDevice", readDevice],
  [
    "listDeviceAddresses",
    (context, { workspaceId, deviceId }) => listDeviceAddresses(context, { workspaceId, deviceId }),
  ],
  [
    "listDeviceAccounts",
    (context, { workspaceId, deviceId }) => listDeviceAccounts(context, { workspaceId, deviceId }),
  ],
  ["readAddress", (context, { workspaceId }) => readAddress(context, { workspaceId, address: ADDRESS })],
  ["readAccount", (context, { workspaceId, accountId }) => readAccount(context, { workspaceId, accountId })],
  ["readShadow", (context, { workspaceId }) => readShadow(context, { workspaceId })],
  ["readLinkControl", readLinkControl],
  [
    "summary of a device",
    (context, { workspaceId, deviceId }) => summariseSubject(context, { workspaceId, kind: "device", deviceId }),
  ],
  [
    "summary of an account",
    (context, { workspaceId, accountId }) => summariseSubject(context, { workspaceId, kind: "account", accountId }),
  ],
  [
    "summary of an address",
    (context, { workspaceId }) => summariseSubject(context, { workspaceId, kind: "address", address: ADDRESS }),
  ],
  [
    "summary of a network",
    (context, { workspaceId }) =>
      summariseSubject(context, {
        workspaceId,
        kind: "network",
        asn: 64_500,
        since: new Date(Date.now() - 86_400_000),
      }),
  ],
  ["readLinks", (context, { workspaceId, deviceId }) => readLinks(context, { workspaceId, of: deviceId })],
  [
    "compareVisits",
    (context, { workspaceId, imprint, other }) => compareVisits(context, { workspaceId, a: imprint, b: other }),
  ],
  ["listCases", (context, { workspaceId }) => listCases(context, { workspaceId })],
  ["readCase", (context, { workspaceId, caseId }) => readCase(context, { workspaceId, caseId })],
  ["summariseCase", (context, data) => summariseCase(context, { workspaceId: data.workspaceId, items: item(data) })],
  ["readLabels", (context, { workspaceId, imprint }) => readLabels(context, { workspaceId, imprint })],
  ["listLabels", (context, { workspaceId }) => listLabels(context, { workspaceId })],
  ["listRules", (context, { workspaceId }) => listRules(context, { workspaceId, ...range() })],
  [
    "readRule",
    (context, { workspaceId }) =>
      readRule(context, { workspaceId, ruleId: "environment.window", starts: starts(), ...range() }),
  ],
];

/** All other reads of Console pages. */
const OF_RESOURCES: readonly Read<Resources>[] = [
  ["readWorkspace", readWorkspace],
  ["listMembers", listMembers],
  ["listInvitations", listInvitations],
  ["listAudit", (context, { workspaceId }) => listAudit(context, { workspaceId })],
  ["listWebApps", listWebApps],
  ["readWebApp", readWebApp],
  ["listRefusedOrigins", listRefusedOrigins],
  ["countRefusedOrigins", countRefusedOrigins],
  ["listKeys", listKeys],
  ["readKeyUses", readKeyUses],
  ["countRecentCalls", countRecentCalls],
  ["listFailingKeys", listFailingKeys],
  ["listManagementKeys", listManagementKeys],
  ["listViews", listViews],
  ["listAlerts", listAlerts],
  ["listEndpoints", listEndpoints],
  ["listDeliveries", listDeliveries],
  ["readDelivery", readDelivery],
  ["readUnits", readUnits],
  ["readUsage", (context, { workspaceId }) => readUsage(context, { workspaceId })],
  ["listClients", (context, { workspaceId }) => listClients(context, { workspaceId, isAll: true })],
  ["listToolCalls", (context, { workspaceId }) => listToolCalls(context, { workspaceId, isAll: true })],
];

/** Statements that touch more than the workspace's shard, by read. */
async function listWide<Data>(reads: readonly Read<Data>[], context: Context, data: Data): Promise<string[]> {
  const wide: string[] = [];
  for (const [name, read] of reads) {
    const { touched } = await shardsTouchedBy(pool, () => read(context, data));
    for (const { text, shards } of touched) if (shards > 1) wide.push(`${name}: ${shards} in ${text}`);
  }
  return wide;
}

test("each statement of what the Console reads of visits touches one shard", async () => {
  const visits = await createVisits();
  expect(await listWide(OF_VISITS, visits.context, visits)).toEqual([]);
});

test("each statement of what the Console reads of keys, Web Apps, webhooks and members touches one shard", async () => {
  const resources = await createPermissionFixture(db);
  expect(await listWide(OF_RESOURCES, operatorContext(db), resources)).toEqual([]);
});
