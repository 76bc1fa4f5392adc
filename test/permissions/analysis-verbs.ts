import type { Context } from "@/lib/platform/context";
import { setRuleMode } from "@/lib/tenancy/rule-modes";
import { createAlert, deleteAlert, listAlerts, updateAlert } from "@/lib/visits/alerts";
import { importLabels, listLabels, setLabel } from "@/lib/visits/labels";
import { currentRules, listRules, replayRules, switchRule } from "@/lib/visits/rules";
import { EVERYONE, MANAGERS } from "@/test/roles";
import type { PermissionFixture, PermittedVerbs } from "./fixture";

const ALERT = { name: "New", condition: "number", threshold: 1, windowMinutes: 60, mailTo: [] };
const DAY_MS = 86_400_000;
const TODAY = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) };

/** The verbs for labels, rules and alerts, and the roles that may use them. */
export const ANALYSIS_VERBS: PermittedVerbs = [
  ["listAlerts", EVERYONE, listAlerts],
  ["createAlert", EVERYONE, (context, fixture) => createAlert(context, { ...fixture, ...ALERT })],
  [
    "updateAlert of another person",
    MANAGERS,
    (context, { workspaceId, alertId }) => updateAlert(context, { workspaceId, alertId, name: "New" }),
  ],
  ["deleteAlert of another person", MANAGERS, deleteAlert],
  [
    "setLabel",
    EVERYONE,
    (context, { workspaceId, deviceId }) => setLabel(context, { workspaceId, subject: { deviceId }, label: "fraud" }),
  ],
  ["importLabels", EVERYONE, (context, fixture) => importLabels(context, { ...fixture, csv: "imprint,label" })],
  [
    "switchRule",
    MANAGERS,
    (context, scope) => switchRule(context, { scope, ruleId: "environment.window", mode: "observe" }),
  ],
  [
    "setRuleMode",
    MANAGERS,
    (context, scope) => setRuleMode(context, { scope, ruleId: "environment.window", mode: "observe" }),
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
