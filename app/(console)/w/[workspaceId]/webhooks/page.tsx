import { openPage, pageMetadata } from "@/app/_server/console-page";
import { pageHref } from "@/components/shell/pages";
import { CellLink } from "@/components/ui/cell-link";
import { Link } from "@/components/ui/link";
import { PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import { ElasticTd, Table, Td, TextTd } from "@/components/ui/table";
import type { Context } from "@/lib/platform/context";
import { type Endpoint, listEndpoints } from "@/lib/tenancy/webhooks";
import { type Access, holds } from "@/lib/tenancy/workspaces";
import { choicesOf } from "./_components/choices";
import { CreateWebhook } from "./_components/create-webhook";
import { WebhookState } from "./_components/webhook-state";
import { createWebhookAction } from "./actions";

export const metadata = pageMetadata("webhooks");

type Props = { params: Promise<{ workspaceId: string }> };

async function readWebhooks(context: Context, access: Access) {
  const { workspaceId } = access;
  const endpoints = await listEndpoints(context, { workspaceId });
  const isOperator = context.actor.kind === "user" && context.actor.isOperator;
  return { endpoints, choices: choicesOf(workspaceId, isOperator), canManage: holds(access, "webhook.manage") };
}

const Webhooks = ({ workspaceId, endpoints }: { workspaceId: string; endpoints: readonly Endpoint[] }) => (
  <Table label="Webhooks" columns={["Name", "State", "Events", "Address"]}>
    {endpoints.map((endpoint) => (
      <tr key={endpoint.endpointId}>
        <TextTd className="font-medium">
          <CellLink isRowLink href={pageHref("webhook", { workspaceId, endpointId: endpoint.endpointId })}>
            {endpoint.name}
          </CellLink>
        </TextTd>
        <Td>
          <WebhookState {...endpoint} />
        </Td>
        <Td title={endpoint.eventTypes.join(", ")}>
          {endpoint.eventTypes.length === 1 ? endpoint.eventTypes[0] : `${endpoint.eventTypes.length} types`}
        </Td>
        <ElasticTd title={endpoint.url}>{endpoint.url}</ElasticTd>
      </tr>
    ))}
  </Table>
);

export default async function WebhooksPage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("webhooks", { workspaceId }, readWebhooks);
  if (!page.ok) return page.restricted;
  const { endpoints, choices, canManage } = page.value;
  return (
    <>
      <PageHeader
        title="Webhooks"
        lead={
          <>
            Your servers are notified of visits, keys and quotas as they happen, signed and at least once.{" "}
            <Link className="link" href="/docs/webhooks">
              How to receive them
            </Link>
          </>
        }
        actions={
          canManage ? <CreateWebhook workspaceId={workspaceId} choices={choices} create={createWebhookAction} /> : null
        }
      />
      <Panel>
        {endpoints.length === 0 ? (
          <EmptyState title="No webhook yet">Create one to be notified of each visit, with its verdict.</EmptyState>
        ) : (
          <Webhooks workspaceId={workspaceId} endpoints={endpoints} />
        )}
      </Panel>
    </>
  );
}
