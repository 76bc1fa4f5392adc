import { openPage, pageMetadata } from "@/app/_server/console-page";
import { riskWord } from "@/components/report/risk-badge";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { pageHref } from "@/components/shell/pages";
import { NumberTh } from "@/components/ui/cells";
import { CopyButton } from "@/components/ui/copy-button";
import { foreign } from "@/components/ui/foreign";
import { PageLinks } from "@/components/ui/page-links";
import { Facts, PageHeader, Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import { ActionsTh, Table } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import type { Context } from "@/lib/platform/context";
import { listWebApps } from "@/lib/tenancy/web-apps";
import { type Endpoint, listDeliveries, readEndpoint } from "@/lib/tenancy/webhooks";
import { type Access, holds } from "@/lib/tenancy/workspaces";
import { choicesOf } from "../_components/choices";
import { WebhookState } from "../_components/webhook-state";
import {
  deleteWebhookAction,
  pauseWebhookAction,
  resendWebhookAction,
  resumeWebhookAction,
  rotateWebhookSecretAction,
  testWebhookAction,
  updateWebhookAction,
} from "../actions";
import { Delivery, type DeliveryRow } from "./_components/delivery";
import { WebhookActions } from "./_components/webhook-actions";

export const metadata = pageMetadata("webhook");

type Props = {
  params: Promise<{ workspaceId: string; endpointId: string }>;
  searchParams: Promise<{ cursor?: string | string[] }>;
};

async function readPage(context: Context, access: Access, endpointId: string, cursor: string | undefined) {
  const { workspaceId } = access;
  const [endpoint, { deliveries, nextCursor }, webApps] = await Promise.all([
    readEndpoint(context, { workspaceId, endpointId }),
    listDeliveries(context, { workspaceId, endpointId, cursor }),
    listWebApps(context, { workspaceId }),
  ]);
  const isOperator = context.actor.kind === "user" && context.actor.isOperator;
  return {
    endpoint,
    nextCursor,
    deliveries: deliveries.map((delivery) => ({
      ...delivery,
      payload: JSON.parse(delivery.payload) as unknown, // safe: we wrote the text
      occurredAt: delivery.occurredAt.toISOString(),
      dueAt: delivery.dueAt.toISOString(),
    })),
    webAppNames: webApps.filter(({ webAppId }) => endpoint.webAppIds.includes(webAppId)).map(({ name }) => name),
    choices: choicesOf(workspaceId, isOperator),
    canManage: holds(access, "webhook.manage"),
  };
}

function About({ endpoint, webAppNames, now }: { endpoint: Endpoint; webAppNames: string[]; now: string }) {
  const { eventTypes, statuses, overlapUntil, disabledBecause, failingSince } = endpoint;
  const visits = [...webAppNames, ...statuses.map((status) => riskWord(status))];
  return (
    <Panel className="mb-4">
      <Facts
        rows={[
          {
            name: "Address",
            value: (
              <>
                <span className="font-mono text-xs break-all">{endpoint.url}</span>{" "}
                <CopyButton value={endpoint.url} label="Copy the address" className="-my-1" />
              </>
            ),
          },
          {
            name: "State",
            value: (
              <>
                <WebhookState {...endpoint} />{" "}
                {disabledBecause === "" || endpoint.state !== "disabled" ? null : <span>{disabledBecause}.</span>}
                {failingSince === null ? null : (
                  <span className="text-fg-muted">
                    {" "}
                    nothing accepted since <RelativeTime at={failingSince.toISOString()} now={now} />
                  </span>
                )}
              </>
            ),
          },
          { name: "Events", value: eventTypes.join(", ") },
          { name: "Visits", value: visits.length === 0 ? "all" : visits.join(", ") },
          ...(overlapUntil
            ? [
                {
                  name: "Secret",
                  value: (
                    <>
                      the previous one also signs, until <RelativeTime at={overlapUntil.toISOString()} now={now} />
                    </>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

type ListProps = {
  workspaceId: string;
  deliveries: readonly DeliveryRow[];
  now: string;
  canResend: boolean;
  newest: string | undefined;
  older: string | undefined;
};

const Deliveries = ({ workspaceId, deliveries, now, canResend, newest, older }: ListProps) => (
  <Panel title="Deliveries" aside="kept for 30 days">
    {deliveries.length === 0 ? (
      <EmptyState title="Nothing was sent yet">Each message appears here with its event.</EmptyState>
    ) : (
      <Table
        label="Deliveries"
        columns={[
          "Happened",
          "Event",
          "State",
          "Last answer",
          <NumberTh>Attempts</NumberTh>,
          "Next attempt",
          <ActionsTh />,
        ]}
      >
        {deliveries.map((delivery) => (
          <Delivery
            key={delivery.deliveryId}
            workspaceId={workspaceId}
            delivery={delivery}
            now={now}
            canResend={canResend}
            resend={resendWebhookAction}
          />
        ))}
      </Table>
    )}
    <PageLinks newest={newest} older={older} />
  </Panel>
);

export default async function WebhookPage({ params, searchParams }: Props) {
  const { workspaceId, endpointId } = await params;
  const { cursor: given } = await searchParams;
  const cursor = typeof given === "string" ? given : undefined;
  const page = await openPage("webhook", { workspaceId, endpointId }, (context, access) =>
    readPage(context, access, endpointId, cursor),
  );
  if (!page.ok) return page.restricted;
  const { endpoint, deliveries, nextCursor, choices, canManage, webAppNames } = page.value;
  const webhook = { workspaceId, endpointId };
  const { name, url, state, eventTypes, webAppIds, statuses } = endpoint;
  const now = page.context.now.toISOString();
  const href = pageHref("webhook", webhook);
  return (
    <>
      <PageHeader
        title={name}
        above={
          <Breadcrumb workspaceId={workspaceId} list="webhooks">
            {foreign(name)}
          </Breadcrumb>
        }
        actions={
          canManage ? (
            <WebhookActions
              webhook={webhook}
              state={state}
              input={{ name, url, eventTypes, webAppIds, statuses }}
              choices={choices}
              update={updateWebhookAction}
              rotate={rotateWebhookSecretAction}
              pause={pauseWebhookAction}
              resume={resumeWebhookAction}
              test={testWebhookAction}
              remove={deleteWebhookAction}
              listHref={pageHref("webhooks", { workspaceId })}
            />
          ) : null
        }
      />
      <About endpoint={endpoint} webAppNames={webAppNames} now={now} />
      <Deliveries
        workspaceId={workspaceId}
        deliveries={deliveries}
        now={now}
        canResend={canManage && state === "active"}
        newest={cursor === undefined ? undefined : href}
        older={nextCursor === undefined ? undefined : `${href}?cursor=${encodeURIComponent(nextCursor)}`}
      />
    </>
  );
}
