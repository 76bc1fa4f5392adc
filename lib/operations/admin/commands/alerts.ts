import { AppError } from "@/lib/contract/errors";
import { findMemberId } from "@/lib/tenancy/workspaces";
import { CONDITIONS, createAlert, deleteAlert, listAlerts, updateAlert } from "@/lib/visits/alerts";
import type { Context } from "@/lib/platform/context";
import { type Command, workspaceOption } from "../command";
import { spanOption } from "../span-option";

const MINUTE = 60;
const DEFAULT_MINUTES = 60;

async function readMembers(context: Context, workspaceId: string, addresses: readonly string[]): Promise<string[]> {
  return await Promise.all(
    addresses.map(async (email) => {
      const userId = await findMemberId(context, { workspaceId, email });
      if (userId !== undefined) return userId;
      throw new AppError("invalid_request", { message: `${email} is not a member of the workspace` });
    }),
  );
}

const alertOption = { value: "ID", description: "Alert, `alr_…`", isRequired: true } as const;
const viewOption = { value: "ID", description: "Saved view, `view_…`" } as const;
const nameOption = { value: "NAME", description: "Name of the alert" } as const;
const conditionOption = {
  value: "CONDITION",
  description: "A number, or a comparison with the same hours of earlier weeks",
  choices: CONDITIONS,
} as const;
const quietOptions = {
  "quiet-from": { value: "HH:MM", description: "Start of quiet hours, in which nothing is sent" },
  "quiet-to": { value: "HH:MM", description: "End of quiet hours" },
} as const;

export const alertCommands: readonly Command[] = [
  {
    name: "alert create",
    summary: "Notify members and webhooks when a saved view's visits exceed a number or their usual level",
    options: {
      workspace: workspaceOption,
      view: { ...viewOption, isRequired: true },
      name: { ...nameOption, isRequired: true },
      condition: { ...conditionOption, isRequired: true },
      threshold: {
        value: "N",
        description: "Number of visits; for a comparison, per cent of the usual level, e.g. 200",
        isRequired: true,
      },
      window: { value: "SPAN", description: "Length of the period, e.g. 1h; default 1h, at most 7d" },
      mail: { value: "EMAIL", description: "Member to notify by mail, may be repeated", isRepeatable: true },
      ...quietOptions,
      zone: { value: "ZONE", description: "Time zone of the quiet hours, e.g. Europe/Amsterdam; default UTC" },
    },
    async run(context, given) {
      const workspaceId = given.text("workspace");
      const { alertId, name } = await createAlert(context, {
        workspaceId,
        viewId: given.text("view"),
        name: given.text("name"),
        condition: given.text("condition"),
        threshold: given.number("threshold"),
        windowMinutes: Math.round((spanOption(given, "window") ?? DEFAULT_MINUTES * MINUTE) / MINUTE),
        mailTo: await readMembers(context, workspaceId, given.list("mail")),
        quietFrom: given.optional("quiet-from"),
        quietTo: given.optional("quiet-to"),
        zone: given.optional("zone"),
      });
      return { alert_id: alertId, name };
    },
  },
  {
    name: "alert update",
    summary: "Change an alert; options not given stay unchanged",
    options: {
      workspace: workspaceOption,
      alert: alertOption,
      view: viewOption,
      name: nameOption,
      condition: conditionOption,
      threshold: { value: "N", description: "Number of visits; for a comparison, per cent of the usual level" },
      window: { value: "SPAN", description: "Length of the period, at most 7d" },
      mail: {
        value: "EMAIL",
        description: "Member to notify by mail, replacing the previous ones, may be repeated",
        isRepeatable: true,
      },
      "no-mail": { description: "Notify nobody by mail" },
      ...quietOptions,
      "no-quiet": { description: "No quiet hours" },
      zone: { value: "ZONE", description: "Time zone of the quiet hours" },
    },
    async run(context, given) {
      const workspaceId = given.text("workspace");
      const windowSeconds = spanOption(given, "window");
      const mail = await readMembers(context, workspaceId, given.list("mail"));
      const { alertId, name } = await updateAlert(context, {
        workspaceId,
        alertId: given.text("alert"),
        viewId: given.optional("view"),
        name: given.optional("name"),
        condition: given.optional("condition"),
        threshold: given.optionalNumber("threshold"),
        windowMinutes: windowSeconds === undefined ? undefined : Math.round(windowSeconds / MINUTE),
        mailTo: mail.length > 0 || given.has("no-mail") ? mail : undefined,
        quietFrom: given.has("no-quiet") ? null : given.optional("quiet-from"),
        quietTo: given.has("no-quiet") ? null : given.optional("quiet-to"),
        zone: given.optional("zone"),
      });
      return { alert_id: alertId, name };
    },
  },
  {
    name: "alert list",
    summary: "List a workspace's alerts, each with its last incident",
    options: { workspace: workspaceOption },
    async run(context, given) {
      const alerts = await listAlerts(context, { workspaceId: given.text("workspace") });
      return {
        alerts: alerts.map(({ alertId, name, view, condition, threshold, windowMinutes, incident, checkedAt }) => ({
          ...{
            alert_id: alertId,
            name,
            view: view.name,
            view_id: view.viewId,
            condition,
            threshold,
            window_minutes: windowMinutes,
          },
          checked_at: checkedAt,
          began_at: incident?.openedAt ?? null,
          ended_at: incident?.closedAt ?? null,
          visits: incident?.visits ?? null,
        })),
      };
    },
  },
  {
    name: "alert delete",
    summary: "Delete an alert; its view is kept",
    options: { workspace: workspaceOption, alert: alertOption },
    async run(context, given) {
      const { alertId } = await deleteAlert(context, {
        workspaceId: given.text("workspace"),
        alertId: given.text("alert"),
      });
      return { alert_id: alertId, deleted: true };
    },
  },
];
