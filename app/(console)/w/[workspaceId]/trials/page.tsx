import { openPage, pageMetadata } from "@/app/_server/console-page";
import { unlessInvalid } from "@/app/_server/unless-restricted";
import { pageHref } from "@/components/shell/pages";
import type { RawQuery } from "@/components/ui/filter-texts";
import { PageHeader, Panel } from "@/components/ui/panel";
import type { Context } from "@/lib/platform/context";
import { listBlocks, listTrials, type Purchase, readProductState, readTrialTotals } from "@/lib/trials";
import { describeAmount } from "@/lib/trials/payments";
import { BlocksPanel } from "./_components/blocks-panel";
import { ProductPanel } from "./_components/product-panel";
import { ProductSwitch } from "./_components/product-switch";
import { readPurchaseQuery, VIEWS, type PurchaseQuery } from "./_components/purchase-query";
import { PurchaseFilters, type PurchaseRow, PurchaseTable } from "./_components/purchase-table";
import { TrialQueue } from "./_components/queue";
import { TotalsPanel } from "./_components/totals-panel";
import { blockBuyerAction, recheckTrialAction, switchProductAction, unblockBuyerAction } from "./actions";
import { amountOf, answerQueue } from "./queue/answer";

export const metadata = pageMetadata("trials");

const PAGE_SIZE = 50;
const TOTAL_DAYS = 30;

type Props = {
  params: Promise<{ workspaceId: string }>;
  searchParams: Promise<RawQuery>;
};

function toRow({ unitsUsed, unitsTotal, ...row }: Purchase): PurchaseRow {
  const amount = amountOf(row);
  return {
    ...row,
    amount: amount?.text ?? amount?.atomic,
    units: unitsUsed === null || unitsTotal === null ? undefined : { used: unitsUsed, total: unitsTotal },
  };
}

async function readTrials(context: Context, { view, search, before }: PurchaseQuery) {
  const [product, queue, totals, purchases, blocks] = await Promise.all([
    readProductState(context),
    answerQueue(context),
    readTrialTotals(context, { days: TOTAL_DAYS }),
    unlessInvalid(listTrials(context, { statuses: VIEWS[view].statuses, search, before, limit: PAGE_SIZE })),
    listBlocks(context),
  ]);
  const { price } = product;
  const amount = (network: string, asset: string, amountAtomic: string) => ({
    atomic: amountAtomic,
    text: describeAmount({ network, asset, amountAtomic }),
  });
  return {
    queue,
    blocks,
    // An invalid search matches nothing.
    purchases: { rows: purchases?.items.map(toRow) ?? [], before: purchases?.before },
    product: {
      ...product,
      price: price && {
        network: price.network,
        asset: price.asset,
        payTo: price.pay_to,
        amount: amount(price.network, price.asset, price.amount_atomic),
      },
    },
    totals: {
      days: totals.days,
      income: totals.income.map(({ network, asset, paidAtomic, refundedAtomic }) => ({
        key: `${network} ${asset}`,
        paid: amount(network, asset, paidAtomic),
        refunded: amount(network, asset, refundedAtomic),
      })),
    },
  };
}

export default async function TrialsPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  const query = readPurchaseQuery(await searchParams);
  const path = pageHref("trials", { workspaceId });
  const page = await openPage("trials", { workspaceId }, (context) => readTrials(context, query));
  if (!page.ok) return page.restricted;
  const { product, queue, totals, purchases, blocks } = page.value;
  const { now } = page.context;
  return (
    <>
      <PageHeader
        title="Agent Trials"
        lead="What software agents buy here without a human. It belongs to the whole instance, not to this workspace. Times are UTC."
        actions={
          <ProductSwitch
            isEnabled={product.isEnabled}
            isPriced={product.price !== undefined}
            setEnabled={switchProductAction}
          />
        }
      />
      <div className="mb-4 grid items-start gap-4 nav:grid-cols-2">
        <ProductPanel {...product} />
        <TotalsPanel {...totals} exportHref={`${path}/totals`} />
      </div>
      <TrialQueue path={path} initial={queue} recheck={recheckTrialAction} />
      <Panel id="purchases" title="Purchases">
        <PurchaseFilters path={path} query={query} />
        <PurchaseTable path={path} query={query} {...purchases} now={now} />
      </Panel>
      <BlocksPanel blocks={blocks} now={now} block={blockBuyerAction} unblock={unblockBuyerAction} />
    </>
  );
}
