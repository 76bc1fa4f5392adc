import { join, resolve } from "node:path";

import { createDemoWorkspaceAction } from "@/app/(console)/actions/demo-data";
import { openPage, pageMetadata } from "@/app/_server/console-page";
import { Facts, Panel } from "@/components/ui/panel";
import { readMcpPolicy } from "@/lib/interfaces/oauth";
import { describeNetworkData, doctor, type CheckResult } from "@/lib/operations/instance";
import { readOwnFigures } from "@/lib/operations/metrics";
import type { Context } from "@/lib/platform/context";
import { baseUrl, env } from "@/lib/platform/env";
import { SESSION_DAYS, signInMethods } from "@/lib/tenancy/sign-in";
import { version } from "@/package.json";
import { DemoData } from "./_components/demo-data";
import { Health } from "./_components/health";
import { ChangeRedirectRules, McpSwitch } from "./_components/mcp-policy";
import { Performance } from "./_components/performance";
import { setRedirectRulesAction, switchMcpAction } from "./actions";

export const metadata = pageMetadata("settings-instance");

type Props = { params: Promise<{ workspaceId: string }> };

const MIGRATIONS = "db/migrations";

function examine(context: Context): Promise<CheckResult[]> {
  const isComplete = [env.AUTH_SECRET, env.KEY_PEPPER, env.KEKS].every((secret) => secret !== undefined);
  return doctor(context, {
    migrationsFolder: MIGRATIONS,
    secretsFile: isComplete ? undefined : join(resolve(env.DATA_DIR), "secrets.json"),
    isEmbedded: env.DATABASE_URL === undefined,
    networkFacts: describeNetworkData(context.now),
  });
}

export default async function InstancePage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("settings-instance", { workspaceId }, (context) =>
    Promise.all([examine(context), readMcpPolicy(context), readOwnFigures(context)]),
  );
  if (!page.ok) return page.restricted;
  const [facts, mcp, figures] = page.value;
  const methods = ["link by e-mail", ...signInMethods().map(({ name }) => name)];
  return (
    <div className="grid gap-4">
      <Health facts={facts} />
      <Performance figures={figures} />
      <Panel id="instance" title="This instance">
        <Facts
          rows={[
            { name: "Version", value: version },
            { name: "Address", value: baseUrl() },
            { name: "Database", value: env.DATABASE_URL === undefined ? "embedded PostgreSQL" : "PostgreSQL of yours" },
            { name: "Sign-in", value: methods.join(", ") },
            { name: "Sign-up", value: "closed: people are invited, or added by the command line" },
            { name: "Sessions", value: `${SESSION_DAYS} days; each person ends them under Your sign-in` },
            { name: "Retention", value: `${env.RETENTION_DAYS} days at most; owners may set less for a workspace` },
          ]}
        />
      </Panel>
      <DemoData create={createDemoWorkspaceAction} />
      <Panel id="mcp" title="MCP server">
        <Facts
          rows={[
            {
              name: "State",
              value: mcp.isEnabled ? "on: people may connect clients" : "off: every client is refused",
              aside: <McpSwitch isEnabled={mcp.isEnabled} setEnabled={switchMcpAction} />,
            },
            {
              name: "Codes go to",
              value: mcp.redirectRules.length === 0 ? "wherever a client registers" : mcp.redirectRules.join(", "),
              aside: (
                <ChangeRedirectRules
                  key={mcp.redirectRules.join(" ")}
                  rules={mcp.redirectRules}
                  save={setRedirectRulesAction}
                />
              ),
            },
          ]}
        />
      </Panel>
    </div>
  );
}
