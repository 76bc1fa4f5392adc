import Link from "next/link";

import { answerMcpCalls } from "./calls/answer";
import { pageContext, readForPage } from "@/app/_server/page";
import { MCP_PLACES } from "./_components/mcp-clients";
import { McpOff } from "@/components/shell/mcp-off";
import { McpWait } from "./_components/mcp-wait";
import { CodeTabs } from "@/components/ui/code-tabs";
import { Id } from "@/components/ui/id";
import { Facts, PageHeader, Panel } from "@/components/ui/panel";
import { RestrictedState } from "@/components/ui/states";
import { baseUrl } from "@/lib/platform/env";
import { readRendered } from "@/lib/interfaces/documents";
import { isMcpOn } from "@/lib/interfaces/oauth";

export const metadata = { title: "Connect" };

type Props = { params: Promise<{ workspaceId: string }> };

export default async function ConnectPage({ params }: Props) {
  const { workspaceId } = await params;
  const context = await pageContext(`/w/${workspaceId}/connect`);
  const reading = await readForPage(() => answerMcpCalls(context, workspaceId, context.now));
  if (!reading.ok)
    return <RestrictedState title="Connecting is not part of your role">{reading.restriction}.</RestrictedState>;
  const url = `${baseUrl()}/mcp`;
  const [isOn, { mcpClients }] = await Promise.all([isMcpOn(), readRendered()]);
  return (
    <>
      <PageHeader
        title="Connect"
        lead="Let an assistant or an agent read Reports, History and usage for you. No key is handed out: it asks you."
      />
      {isOn ? null : <McpOff />}
      <div className="grid gap-4">
        <Panel id="server" title="MCP server">
          <div className="flex flex-col gap-4 p-4">
            <p>
              <Id value={url} isWhole copy="always" className="text-sm" />
            </p>
            <CodeTabs label="Configuration" codes={mcpClients} />
            <McpWait workspaceId={workspaceId} since={context.now.toISOString()} initial={reading.value} />
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
