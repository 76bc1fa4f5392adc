import { readUnits, readUsage } from "@/lib/metering";
import { readWorkspace } from "@/lib/tenancy/workspaces";
import {
  authorizeAccounts,
  countAccount,
  deleteAccount,
  exportAccount,
  exportAccountAtOnce,
  findAccount,
  listDeviceAccounts,
  readAccount,
  readVisitAccount,
} from "@/lib/visits/account-map";
import {
  deleteDevice,
  exportDevice,
  listDeviceAddresses,
  listDevices,
  readAddress,
  readDevice,
  readDevices,
  readLinkControl,
  readShadow,
} from "@/lib/visits/devices";
import { compareVisits, listSharers, readLinks, summariseSubject } from "@/lib/visits/investigation";
import { exportLabels, listLabels, readLabels } from "@/lib/visits/labels";
import {
  countFurther,
  countRecentVisits,
  countReports,
  countVisitsBeyond,
  exportReports,
  findSubject,
  listReports,
  readDeviceVisits,
  readReportForConsole,
  watchFirstVisit,
} from "@/lib/visits/reports";
import { listRules, readRule } from "@/lib/visits/rules";
import { explore, findUnusual, listBusiest, summariseVisits } from "@/lib/visits/slices";
import { EVERYONE, MANAGERS, OWNERS } from "@/test/roles";
import type { PermissionFixture, PermittedVerbs } from "./fixture";

const DAY_MS = 86_400_000;
const TODAY = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) };
const NETWORK = { kind: "network", asn: 64_500, since: TODAY.from } as const;
const today = ({ workspaceId }: PermissionFixture) => ({ workspaceId, ...TODAY });

/** Reads of visits and usage, which are also open to keys and connected clients. Members without addresses may not see some. */
export const VISIT_READS: PermittedVerbs = [
  ["readWorkspace", EVERYONE, readWorkspace],
  ["readUnits", EVERYONE, readUnits],
  ["readUsage", EVERYONE, readUsage],
  ["listReports", EVERYONE, (context, of) => listReports(context, today(of))],
  ["countReports", EVERYONE, (context, of) => countReports(context, { ...today(of), starts: [TODAY.from] })],
  ["countFurther", EVERYONE, (context, of) => countFurther(context, { ...today(of), total: 1 })],
  ["exportReports", EVERYONE, (context, of) => exportReports(context, { ...today(of), format: "csv" })],
  ["readReportForConsole", EVERYONE, readReportForConsole],
  ["readDeviceVisits", EVERYONE, readDeviceVisits],
  ["watchFirstVisit", EVERYONE, (context, of) => watchFirstVisit(context, { ...of, since: null })],
  ["findSubject", EVERYONE, (context, of) => findSubject(context, { ...of, text: of.imprint })],
  ["compareVisits", EVERYONE, (context, of) => compareVisits(context, { ...of, a: of.imprint, b: of.otherImprint })],
  ["summariseVisits", EVERYONE, (context, of) => summariseVisits(context, today(of))],
  ["listBusiest", EVERYONE, (context, of) => listBusiest(context, today(of))],
  ["findUnusual", EVERYONE, findUnusual],
  ["explore", EVERYONE, (context, of) => explore(context, { ...today(of), dimensions: ["browser"] })],
  ["explore by country", MANAGERS, (context, of) => explore(context, { ...today(of), dimensions: ["country"] })],
  ["listDevices", EVERYONE, listDevices],
  ["readDevices", EVERYONE, (context, of) => readDevices(context, { ...of, deviceIds: [of.deviceId] })],
  ["readDevice", EVERYONE, readDevice],
  ["readShadow", EVERYONE, readShadow],
  ["readLinkControl", EVERYONE, readLinkControl],
  ["readAddress", MANAGERS, (context, of) => readAddress(context, { ...of, address: "203.0.113.7" })],
  ["listDeviceAddresses", MANAGERS, listDeviceAddresses],
  ["authorizeAccounts", EVERYONE, (context, { workspaceId }) => authorizeAccounts(context, workspaceId)],
  ["findAccount", EVERYONE, (context, of) => findAccount(context, { ...of, accountRef: "42" })],
  ["readAccount", EVERYONE, readAccount],
  ["readVisitAccount", EVERYONE, readVisitAccount],
  ["listDeviceAccounts", EVERYONE, listDeviceAccounts],
  [
    "summariseSubject",
    EVERYONE,
    (context, { workspaceId, deviceId }) => summariseSubject(context, { workspaceId, kind: "device", deviceId }),
  ],
  [
    "summariseSubject, a network",
    MANAGERS,
    (context, { workspaceId }) => summariseSubject(context, { workspaceId, ...NETWORK }),
  ],
  ["listSharers", MANAGERS, (context, { workspaceId }) => listSharers(context, { workspaceId, ...NETWORK })],
  ["readLinks", EVERYONE, (context, of) => readLinks(context, { ...of, of: of.deviceId })],
  ["readLabels", EVERYONE, readLabels],
  ["listLabels", EVERYONE, listLabels],
  ["exportLabels", EVERYONE, (context, { workspaceId }) => exportLabels(context, { workspaceId }).next()],
  ["listRules", EVERYONE, (context, of) => listRules(context, today(of))],
  [
    "readRule",
    EVERYONE,
    (context, of) => readRule(context, { ...today(of), ruleId: "environment.window", starts: [TODAY.from] }),
  ],
];

/** Other verbs on visits, devices and accounts, and the roles that may use them. */
export const VISIT_VERBS: PermittedVerbs = [
  ["exportAccount", MANAGERS, (context, of) => exportAccount(context, { ...of, accountRef: "42" })],
  ["exportAccountAtOnce", MANAGERS, (context, of) => exportAccountAtOnce(context, { ...of, accountRef: "42" })],
  ["exportDevice", MANAGERS, exportDevice],
  ["countAccount", MANAGERS, (context, of) => countAccount(context, { ...of, accountRef: "42" })],
  ["deleteAccount", MANAGERS, (context, of) => deleteAccount(context, { ...of, accountRef: "42" })],
  ["deleteDevice", MANAGERS, deleteDevice],
  ["countRecentVisits", EVERYONE, countRecentVisits],
  ["countVisitsBeyond", OWNERS, (context, of) => countVisitsBeyond(context, { ...of, days: 30 })],
];
