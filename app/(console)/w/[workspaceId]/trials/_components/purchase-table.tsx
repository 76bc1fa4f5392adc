import { Search } from "lucide-react";
import { IdTd, TimeTd } from "@/components/ui/cells";
import { Link } from "@/components/ui/link";

import { buttonStyle, ButtonLink } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { choiceStyle } from "@/components/ui/choice";
import { Id } from "@/components/ui/id";
import { Input } from "@/components/ui/input";
import { PageLinks } from "@/components/ui/page-links";
import { EmptyState, NoMatchState } from "@/components/ui/states";
import { ElasticTd, Table, Td } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import type { IntentStatus } from "@/lib/contract/trial";
import { purchaseHref, type PurchaseQuery, type View, VIEWS } from "./purchase-query";
import { STATUS_LABELS } from "./labels";

export type PurchaseRow = {
  intentId: string;
  status: IntentStatus;
  origin: string;
  createdAt: Date;
  amount: string | undefined;
  payer: string | null;
  transaction: string | null;
  trialExpiresAt: Date | null;
  units: { used: number; total: number } | undefined;
  isRefunded: boolean;
  isTakenBack: boolean;
};

export function PurchaseFilters({ path, query }: { path: string; query: PurchaseQuery }) {
  const views = Object.keys(VIEWS) as View[];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b p-2">
      <nav aria-label="State" className="flex flex-wrap gap-1">
        {views.map((view) => (
          <Link
            key={view}
            href={purchaseHref(path, { ...query, view, before: undefined })}
            aria-current={query.view === view ? "true" : undefined}
            className={choiceStyle(query.view === view)}
          >
            {VIEWS[view].label}
          </Link>
        ))}
      </nav>
      <form action={path} role="search" className="flex min-w-0 flex-1 basis-60 gap-1 nav:ml-auto nav:max-w-110">
        {query.view === "all" ? null : <input type="hidden" name="view" value={query.view} />}
        <Input
          name="search"
          type="search"
          data-search
          aria-label="Purchase, trial, transaction, payer or origin"
          placeholder="ati_…, trial_…, 0x…, https://…"
          defaultValue={query.search ?? ""}
          key={query.search ?? ""}
          className="h-7 font-mono text-xs"
        />
        <button type="submit" aria-label="Search" className={buttonStyle({ size: "icon" })}>
          <Search aria-hidden />
        </button>
      </form>
    </div>
  );
}

function TrialCell({ row, now }: { row: PurchaseRow; now: Date }) {
  const { units, trialExpiresAt, status } = row;
  if (!units || !trialExpiresAt) return <span className="text-fg-muted">–</span>;
  return (
    <span className="flex items-center gap-2">
      <span>
        {units.used} of {units.total}
      </span>
      {status === "active" ? (
        <span className="text-fg-muted">
          ends <RelativeTime at={trialExpiresAt} now={now} />
        </span>
      ) : null}
    </span>
  );
}

type Props = {
  path: string;
  query: PurchaseQuery;
  rows: readonly PurchaseRow[];
  before: string | undefined;
  now: Date;
};

/** The purchases of the current view, newest first. */
export function PurchaseTable({ path, query, rows, before, now }: Props) {
  const isFiltered = query.view !== "all" || query.search !== undefined || query.before !== undefined;
  if (rows.length === 0 && isFiltered) {
    return (
      <NoMatchState title="No purchase matches" action={<ButtonLink href={path}>Show all</ButtonLink>}>
        {query.search === undefined ? null : (
          <>
            Searched for <code className="font-mono text-xs break-all">{query.search}</code>.
          </>
        )}
      </NoMatchState>
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState title="No purchase yet">
        Software agents find the product at <code className="font-mono text-xs">/api/v1/agent/products</code>. To see a
        purchase without real money, run <code className="font-mono text-xs">npm run demo:agent</code>.
      </EmptyState>
    );
  }
  return (
    <>
      <Table
        label="Purchases"
        columns={["Purchase", "State", "Begun", "Trial", "Amount", "Origin", "Payer, transaction"]}
      >
        {rows.map((row) => (
          <tr key={row.intentId} className="hover:bg-surface-2">
            <IdTd value={row.intentId} href={`${path}/${row.intentId}`} isRowLink />
            <Td>
              <Chip isActive={row.status === "active"}>{STATUS_LABELS[row.status]}</Chip>
              {row.isTakenBack ? <span className="ml-1.5 font-medium">payment taken back</span> : null}
              {row.isRefunded ? <span className="ml-1.5 text-fg-muted">refunded</span> : null}
            </Td>
            <TimeTd at={row.createdAt} now={now} />
            <Td>
              <TrialCell row={row} now={now} />
            </Td>
            <Td>{row.amount ?? <span className="text-fg-muted">–</span>}</Td>
            <ElasticTd title={row.origin}>
              <span className="font-mono text-xs">{row.origin}</span>
            </ElasticTd>
            <Td className="py-1">
              {row.payer ? <Id value={row.payer} copy="hover" /> : <span className="text-fg-muted">–</span>}
              {row.transaction ? <Id value={row.transaction} copy="hover" className="flex text-fg-muted" /> : null}
            </Td>
          </tr>
        ))}
      </Table>
      <PageLinks
        newest={query.before && purchaseHref(path, { ...query, before: undefined })}
        older={before && purchaseHref(path, { ...query, before })}
      />
    </>
  );
}
