import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";

import { id, instant } from "./columns";
import { reportViews } from "./views";

const workspaceId = () => id("workspace", "workspace_id").notNull();
const actorKind = () => text("actor_kind").notNull();
const createdBy = () => text("created_by").notNull();
const createdAt = () => instant("created_at").notNull().defaultNow();

/** What people know of a visit, a device or an account: one label each. The audit log has the former ones. */
export const labels = pgTable(
  "labels",
  {
    workspaceId: workspaceId(),
    subjectKind: text("subject_kind", { enum: ["visit", "device", "account"] }).notNull(),
    /** Event id, device id, or hash of the account. */
    subjectId: uuid("subject_id").notNull(),
    label: text("label", { enum: ["fraud", "legitimate", "tester"] }).notNull(),
    actorKind: actorKind(),
    /** Id of the person or key; empty when the operator did. */
    createdBy: createdBy(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.subjectKind, table.subjectId] }),
    index("labels_created").on(table.workspaceId, table.createdAt, table.subjectId),
  ],
);

/** Which rules fired in which visit. Range-partitioned by month on `event_id`, like `visits`. */
export const visitRules = pgTable(
  "visit_rules",
  {
    workspaceId: workspaceId(),
    eventId: id("imprint", "event_id").notNull(),
    ruleId: text("rule_id").notNull(),
    /** The rule was switched to observe: it is evidence, and no finding of the Report. */
    isObserved: boolean("is_observed").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.eventId, table.ruleId] }),
    index("visit_rules_rule").on(table.workspaceId, table.ruleId, table.eventId),
  ],
);

/** Rules that are switched to observe: in a workspace, or under the workspace id of zeros in the whole instance. */
export const observedRules = pgTable(
  "observed_rules",
  {
    workspaceId: workspaceId(),
    ruleId: text("rule_id").notNull(),
    actorKind: actorKind(),
    createdBy: createdBy(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.ruleId] })],
);

/** When members and endpoints are notified of the visits of a saved view, and the open incident. */
export const viewAlerts = pgTable(
  "view_alerts",
  {
    workspaceId: workspaceId(),
    alertId: id("alert", "alert_id").notNull(),
    viewId: id("view", "view_id").notNull(),
    name: text("name").notNull(),
    /** More visits than `threshold`, or more than `threshold` per cent of what the same hours of earlier weeks had. */
    condition: text("condition", { enum: ["number", "history"] }).notNull(),
    threshold: integer("threshold").notNull(),
    windowMinutes: integer("window_minutes").notNull(),
    /** Ids of the members who are notified by mail. */
    mailTo: text("mail_to").array().notNull(),
    /** Minutes since midnight in `zone`; null without quiet hours. */
    quietFrom: integer("quiet_from"),
    quietTo: integer("quiet_to"),
    zone: text("zone").notNull(),
    createdBy: createdBy(),
    createdAt: createdAt(),
    checkedAt: instant("checked_at"),
    /** The last incident: since when, its most visits, what was expected at most, and its end unless it goes on. */
    openedAt: instant("opened_at"),
    openedVisits: integer("opened_visits"),
    openedLimit: integer("opened_limit"),
    closedAt: instant("closed_at"),
    /** When the notification of the incident is due; null when there is none. */
    noticeDueAt: instant("notice_due_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.alertId] }),
    foreignKey({
      name: "view_alerts_view",
      columns: [table.workspaceId, table.viewId],
      foreignColumns: [reportViews.workspaceId, reportViews.viewId],
    }).onDelete("cascade"),
  ],
);
