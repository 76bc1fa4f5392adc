import type { Context } from "@/lib/platform/context";
import { type Role, ROLES } from "@/lib/tenancy/workspaces";
import { createAlert, deleteAlert, listAlerts } from "@/lib/visits/alerts";
import { importLabels, listLabels, setLabel } from "@/lib/visits/labels";
import { currentRules, listRules, replayRules, switchRule } from "@/lib/visits/rules";
import type { PermissionFixture } from "@/lib/operations/admin/testing";

const EVERYONE: readonly Role[] = ROLES;
const MANAGERS: readonly Role[] = ["owner", "admin"];
const ALERT = { name: "New", condition: "number", threshold: 1, windowMinutes: 60, mailTo: [] };
const DAY_MS = 86_400_000;
const TODAY = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) };

type Verb = (context: Context, fixture: PermissionFixture) => Promise<unknown>;

/** The verbs for labels, rules and alerts, and the roles that may use them. */
export const ANALYSIS_VERBS: readonly [string, readonly Role[], Verb][] = [
  ["listAlerts", EVERYONE, listAlerts],
  ["createAlert", EVERYONE, (context, fixture) => createAlert(context, { ...fixture, ...ALERT })],
  ["deleteAlert of another person", MANAGERS, deleteAlert],
  [
    "setLabel",
    EVERYONE,
    (context, { workspaceId, deviceId }) => setLabel(context, { workspaceId, subject: { deviceId }, label: "fraud" }),
  ],
  ["importLabels", EVERYONE, (context, fixture) => importLabels(context, { ...fixture, csv: "imprint,label" })],
  ["listLabels", EVERYONE, listLabels],
  ["listRules", EVERYONE, (context, fixture) => listRules(context, { ...fixture, ...TODAY })],
  [
    "switchRule",
    MANAGERS,
    (context, scope) => switchRule(context, { scope, ruleId: "environment.window", mode: "observe" }),
  ],
  [
    "replayRules",
    MANAGERS,
    (context, { workspaceId }) => replayRules(context, { workspaceId, ...TODAY, candidate: currentRules }),
  ],
];

/** Everything visible of labels, rules and alerts. */
export const analysisOf = async (context: Context, fixture: PermissionFixture) => [
  await listAlerts(context, fixture),
  await listLabels(context, fixture),
  (await listRules(context, { ...fixture, ...TODAY })).rules.map(({ observedBy }) => observedBy),
];
