import { Link } from "@/components/ui/link";

import { openPage, pageMetadata } from "@/app/_server/console-page";
import { McpOff } from "@/components/shell/mcp-off";
import { CodeTabs } from "@/components/ui/code-tabs";
import { Id } from "@/components/ui/id";
import { Facts, PageHeader, Panel } from "@/components/ui/panel";
import { readRendered } from "@/lib/interfaces/documents";
import { isMcpOn } from "@/lib/interfaces/oauth";
import { baseUrl } from "@/lib/platform/env";
import { MCP_PLACES } from "./_components/mcp-clients";
import { McpWait } from "./_components/mcp-wait";
import { answerMcpCalls } from "./calls/answer";

export const metadata = pageMetadata("connect");

type Props = { params: Promise<{ workspaceId: string }> };

export default async function ConnectPage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("connect", { workspaceId }, (context) =>
    answerMcpCalls(context, workspaceId, context.now),
  );
  if (!page.ok) return page.restricted;
  const url = `${baseUrl()}/mcp`;
  const [isOn, { mcpClients }] = await Promise.all([isMcpOn(), readRendered()]);
  return (
    <>
      <PageHeader
        title="Connect"
        lead="Let an assistant find visits, explain verdicts, and read devices, Reports and usage for you. No key is handed out: it asks you."
      />
      {isOn ? null : <McpOff />}
      <div className="grid gap-4">
        <Panel id="server" title="MCP server">
          <div className="flex flex-col gap-4 p-4">
            <p>
              <Id value={url} isWhole copy="always" className="text-sm" />
            </p>
            <CodeTabs label="Configuration" codes={mcpClients} />
            <McpWait workspaceId={workspaceId} since={page.context.now.toISOString()} initial={page.value} />
          </div>
        </Panel>
        <Panel id="places" title="Where it goes">
          <Facts rows={MCP_PLACES.map(({ name, place }) => ({ name, value: place }))} />
        </Panel>
        <p className="text-fg-muted">
          The client opens this service in your browser, where you choose the workspace and what it may read.{" "}
          <Link className="link" href="/docs/mcp">
            Tools, scopes, and how access ends
          </Link>
        </p>
      </div>
    </>
  );
}
