import { readUsage, USAGE_OUTCOMES, type UsageCount } from "@/lib/metering";
import { type Command, workspaceOption } from "../command";

/** A flat object for the table; missing outcomes are zero. */
const line = ({ units, calls, outcomes }: UsageCount) => ({
  units,
  calls,
  ...Object.fromEntries(USAGE_OUTCOMES.map((outcome) => [outcome, outcomes[outcome] ?? 0])),
});

export const usageCommands: readonly Command[] = [
  {
    name: "usage",
    summary: "Show units and calls of a workspace by day, key, Web App, operation and outcome",
    options: {
      workspace: workspaceOption,
      from: { value: "DAY", description: "First day (UTC), YYYY-MM-DD; default: the current month" },
      to: { value: "DAY", description: "Last day (inclusive); only together with --from" },
    },
    async run(context, given) {
      const usage = await readUsage(context, {
        workspaceId: given.text("workspace"),
        from: given.optional("from"),
        to: given.optional("to"),
      });
      return {
        range: usage.range,
        month: usage.month,
        total: line(usage.total),
        days: usage.days.map(({ date, ...count }) => ({ date, ...line(count) })),
        keys: usage.keys.map(({ keyId, ...count }) => ({ key_id: keyId, ...line(count) })),
        web_apps: usage.webApps.map(({ webAppId, ...count }) => ({ web_app_id: webAppId, ...line(count) })),
        operations: usage.operations.map(({ operation, ...count }) => ({ operation, ...line(count) })),
      };
    },
  },
];
