import { join, resolve } from "node:path";

import { openPage, pageMetadata } from "@/app/_server/console-page";
import { Facts, Panel } from "@/components/ui/panel";
import { Table, Td } from "@/components/ui/table";
import { readMcpPolicy } from "@/lib/interfaces/oauth";
import { describeNetworkData, doctor, type Fact } from "@/lib/operations/instance";
import type { Context } from "@/lib/platform/context";
import { baseUrl, env } from "@/lib/platform/env";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import { SESSION_DAYS, signInMethods } from "@/lib/tenancy/sign-in";
import { version } from "@/package.json";
import { ChangeRedirectRules, McpSwitch } from "./_components/mcp-policy";
import { setRedirectRulesAction, switchMcpAction } from "./actions";

export const metadata = pageMetadata("settings-instance");

type Props = { params: Promise<{ workspaceId: string }> };

const STATUS_LABELS: Record<Fact["status"], string> = { ok: "fine", warn: "needs attention", fail: "broken" };

const MIGRATIONS = "db/migrations";

function examine(context: Context): Promise<Fact[]> {
  const isComplete = [env.AUTH_SECRET, env.KEY_PEPPER, env.KEKS].every((secret) => secret !== undefined);
  return doctor(context, {
    migrationsFolder: MIGRATIONS,
    secretsFile: isComplete ? undefined : join(resolve(env.DATA_DIR), "secrets.json"),
    isEmbedded: env.DATABASE_URL === undefined,
    networkFacts: describeNetworkData(context.now),
  });
}

function FactRow({ name, status, text, fix }: Fact) {
  return (
    <tr className="align-baseline [&>td]:py-1.5">
      <Td className="font-mono text-xs">{name}</Td>
      <Td>
        <span className={status === "ok" ? "text-fg-muted" : "font-medium"}>{STATUS_LABELS[status]}</span>
      </Td>
      <Td className="min-w-64 whitespace-normal">
        {text}
        {fix === undefined ? null : <span className="block text-fg-muted">{fix}</span>}
      </Td>
    </tr>
  );
}

export default async function InstancePage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("settings-instance", { workspaceId }, (context) =>
    Promise.all([examine(context), readMcpPolicy(context)]),
  );
  if (!page.ok) return page.restricted;
  const [facts, mcp] = page.value;
  const methods = ["link by e-mail", ...signInMethods().map(({ name }) => name)];
  return (
    <div className="grid gap-4">
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
              aside: <ChangeRedirectRules rules={mcp.redirectRules} save={setRedirectRulesAction} />,
            },
          ]}
        />
      </Panel>
      <Panel
        id="health"
        title="Health"
        aside={
          <>
            the same as <code className="font-mono text-xs">{ADMIN_COMMAND} doctor</code>
          </>
        }
      >
        <Table label="Health" columns={["What", "State", "Finding"]}>
          {facts.map((fact) => (
            <FactRow key={fact.name} {...fact} />
          ))}
        </Table>
      </Panel>
    </div>
  );
}
