import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";

import { id, instant } from "./columns";
import { reportViews } from "./views";

const workspaceId = () => id("workspace", "workspace_id").notNull();
const actorKind = () => text("actor_kind").notNull();
const createdBy = () => text("created_by").notNull();
const createdAt = () => instant("created_at").notNull().defaultNow();

/** What people know about a visit, device or account: one label each. Previous labels are in the audit log. */
export const labels = pgTable(
  "labels",
  {
    workspaceId: workspaceId(),
    subjectKind: text("subject_kind", { enum: ["visit", "device", "account"] }).notNull(),
    /** Event id, device id, or account hash. */
    subjectId: uuid("subject_id").notNull(),
    label: text("label", { enum: ["fraud", "legitimate", "tester"] }).notNull(),
    actorKind: actorKind(),
    /** User or key id; empty for the operator. */
    createdBy: createdBy(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.subjectKind, table.subjectId] }),
    index("labels_created").on(table.workspaceId, table.createdAt, table.subjectId),
  ],
);

/** Rules that fired per visit. Range-partitioned by month on `event_id`, like `visits`. */
export const visitRules = pgTable(
  "visit_rules",
  {
    workspaceId: workspaceId(),
    eventId: id("imprint", "event_id").notNull(),
    ruleId: text("rule_id").notNull(),
    /** The rule was in observe mode: recorded as evidence, but not a finding of the Report. */
    isObserved: boolean("is_observed").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.eventId, table.ruleId] }),
    index("visit_rules_rule").on(table.workspaceId, table.ruleId, table.eventId),
  ],
);

/** Rules in observe mode: for a workspace, or for the whole instance under the all-zero workspace id. */
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

/** Alert settings of saved views: when members and endpoints are notified of visits, and the open incident. */
export const viewAlerts = pgTable(
  "view_alerts",
  {
    workspaceId: workspaceId(),
    alertId: id("alert", "alert_id").notNull(),
    viewId: id("view", "view_id").notNull(),
    name: text("name").notNull(),
    /**
     * `number`: more visits than `threshold`. `history`: more than `threshold` per cent of the same hours in earlier
     * weeks.
     */
    condition: text("condition", { enum: ["number", "history"] }).notNull(),
    threshold: integer("threshold").notNull(),
    windowMinutes: integer("window_minutes").notNull(),
    /** Ids of the members notified by email. */
    mailTo: text("mail_to").array().notNull(),
    /** Minutes since midnight in `zone`; null without quiet hours. */
    quietFrom: integer("quiet_from"),
    quietTo: integer("quiet_to"),
    zone: text("zone").notNull(),
    createdBy: createdBy(),
    createdAt: createdAt(),
    checkedAt: instant("checked_at"),
    /** The last incident: start, highest visit count, expected maximum, and end unless it is still open. */
    openedAt: instant("opened_at"),
    openedVisits: integer("opened_visits"),
    openedLimit: integer("opened_limit"),
    closedAt: instant("closed_at"),
    /** When the incident's notification is due; null if none is. */
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
