import { openPage, pageMetadata } from "@/app/_server/console-page";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { creatorName } from "@/components/shell/creator-name";
import { Chip } from "@/components/ui/chip";
import { Id, shortId } from "@/components/ui/id";
import { Facts, PageHeader, Panel } from "@/components/ui/panel";
import { AbsoluteTime } from "@/components/ui/time";
import { UNRESOLVED_STATUSES } from "@/lib/contract/trial";
import { showTrial } from "@/lib/trials";
import { describeAmount } from "@/lib/trials/payments";
import { BlockBuyer } from "../_components/block-buyer";
import { STATUS_LABELS } from "../_components/labels";
import { blockBuyerAction, recordRefundAction, recheckTrialAction, revokeTrialAction } from "../actions";
import { GrantPanel, type GrantView } from "./_components/grant-panel";
import { type AttemptView, PaymentsPanel, RefundPanel } from "./_components/payments-panel";
import { PurchaseActions } from "./_components/purchase-actions";
import { Timeline } from "./_components/timeline";

export const metadata = pageMetadata("trial");

type Shown = Awaited<ReturnType<typeof showTrial>>;
type Props = { params: Promise<{ workspaceId: string; intentId: string }> };

const attemptView = ({ amountAtomic, validBefore, ...row }: Shown["attempts"][number]): AttemptView => ({
  ...row,
  validUntil: new Date(validBefore * 1000),
  amount: { atomic: amountAtomic, text: describeAmount({ ...row, amountAtomic }) },
});

function grantView({ grant, intent: { trial, status } }: Shown): GrantView | undefined {
  if (!grant || !trial) return undefined;
  return {
    trialId: trial.trialId,
    environmentId: grant.environmentId,
    units: { used: grant.unitsUsed, limit: grant.unitsTotal },
    submissions: { used: grant.submitRequestsUsed, limit: grant.submitRequests },
    reportRequests: { used: grant.reportRequestsUsed, limit: grant.reportRequests },
    requestsPerSecond: grant.requestsPerSecond,
    expiresAt: trial.expiresAt,
    deliverUntil: trial.deliverUntil,
    isKeySealed: trial.isKeySealed,
    isActive: status === "active",
  };
}

/** A transfer of the token as wallets read it. Source: ERC-681. */
const walletRequest = ({ asset, network, payer, amount }: AttemptView) =>
  `ethereum:${asset}@${network.replace("eip155:", "")}/transfer?address=${payer}&uint256=${amount.atomic}`;

const isUnresolved = (status: Shown["intent"]["status"]) =>
  (UNRESOLVED_STATUSES as readonly Shown["intent"]["status"][]).includes(status);

function StateFacts({ shown }: { shown: Shown }) {
  const { intent, origin } = shown;
  const isPayable = intent.status === "payment_required" || intent.status === "payment_failed";
  return (
    <Panel>
      <Facts
        rows={[
          { name: "Purchase", value: <Id value={intent.intentId} isWhole copy="always" /> },
          {
            name: "State",
            value: <Chip isActive={intent.status === "active"}>{STATUS_LABELS[intent.status]}</Chip>,
          },
          { name: "Origin", value: <span className="font-mono text-xs break-all">{origin}</span> },
          ...(isPayable ? [{ name: "Payable until", value: <AbsoluteTime at={intent.payUntil} /> }] : []),
          ...(intent.nextReconcileAt
            ? [{ name: "Next check", value: <AbsoluteTime at={intent.nextReconcileAt} /> }]
            : []),
          ...(intent.endedAt ? [{ name: "Ended", value: <AbsoluteTime at={intent.endedAt} /> }] : []),
        ]}
      />
    </Panel>
  );
}

export default async function PurchasePage({ params }: Props) {
  const { workspaceId, intentId } = await params;
  const page = await openPage("trial", { workspaceId, intentId }, (context) => showTrial(context, { intentId }));
  if (!page.ok) return page.restricted;
  const { intent, events, refunds, attempts: stored, createdAt, origin } = page.value;
  const attempts = stored.map(attemptView);
  const settled = attempts.find(({ outcome }) => outcome === "settled");
  const grant = grantView(page.value);
  const { userId, email } = page.context.actor;
  const noter = (by: string) =>
    by !== userId && by.startsWith("usr_") ? "another operator" : creatorName(by, [{ userId, email }]);
  return (
    <>
      <PageHeader
        title={<span className="font-mono">{shortId(intentId)}</span>}
        above={
          <Breadcrumb workspaceId={workspaceId} list="trials">
            Purchase
          </Breadcrumb>
        }
        actions={
          <>
            <BlockBuyer
              buyers={[...new Set([...attempts.map(({ payer }) => payer), origin])]}
              block={blockBuyerAction}
            />
            <PurchaseActions
              intentId={intentId}
              canRecheck={isUnresolved(intent.status)}
              canRevoke={!isUnresolved(intent.status) && intent.endedAt === undefined}
              canRefund={settled !== undefined}
              recheck={recheckTrialAction}
              revoke={revokeTrialAction}
              recordRefund={recordRefundAction}
            />
          </>
        }
      />
      <div className="grid items-start gap-4 nav:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <StateFacts shown={page.value} />
          {grant ? <GrantPanel grant={grant} now={page.context.now} /> : null}
          <PaymentsPanel attempts={attempts} />
          {settled ? (
            <RefundPanel
              payer={settled.payer}
              amount={settled.amount}
              request={walletRequest(settled)}
              refunds={refunds.map(({ notedBy, ...refund }) => ({ ...refund, by: noter(notedBy) }))}
            />
          ) : null}
        </div>
        <Timeline createdAt={createdAt} entries={events} />
      </div>
    </>
  );
}
