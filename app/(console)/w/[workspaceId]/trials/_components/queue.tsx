"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";

import type { Action } from "@/components/ui/action-result";
import { failureText, LiveClient, usePolled } from "@/components/shell/live-client";
import { IdTd, TimeTd } from "@/components/ui/cells";
import { Refusal } from "@/components/ui/refusal";
import { useAction } from "@/components/ui/use-action";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { Id } from "@/components/ui/id";
import { Panel } from "@/components/ui/panel";
import { ActionsTh, Table, Td } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import type { IntentStatus } from "@/lib/contract/trial";
import { STATUS_LABELS } from "./labels";

const INTERVAL_MS = 5_000;

type QueueRow = {
  intentId: string;
  status: IntentStatus;
  since: string;
  payer: string;
  amount: string;
  reconcileAttempts: number;
  lastReconciledAt: string | null;
  /** Expiry of the authorization on the chain. */
  validUntil: string | null;
};
export type QueueAnswer = { at: string; items: QueueRow[]; hasMore: boolean };

type Recheck = Action<{ intentId: string }, { status: IntentStatus }>;
type Props = { path: string; initial: QueueAnswer; recheck: Recheck };

/** The evidence about an unresolved payment, in words. */
function Evidence({ row, at }: { row: QueueRow; at: string }) {
  if (row.status === "provisioning") return "Paid, proven on the chain. The trial is being made.";
  const isOver = row.validUntil !== null && row.validUntil < at;
  return (
    <>
      {row.lastReconciledAt === null ? (
        "Not checked yet"
      ) : (
        <>
          Last check <RelativeTime at={row.lastReconciledAt} now={at} />
          {row.reconcileAttempts > 0 ? `, ${row.reconcileAttempts} without proof` : ""}
        </>
      )}
      {row.validUntil === null ? null : (
        <span className="block text-xs text-fg-muted">
          {isOver ? "The authorization ended" : "The authorization ends"} <RelativeTime at={row.validUntil} now={at} />
        </span>
      )}
    </>
  );
}

function QueueLine({
  row,
  at,
  path,
  recheck,
  onDone,
}: Omit<Props, "initial"> & { row: QueueRow; at: string; onDone: () => void }) {
  const { run, result, isPending } = useAction(recheck);
  const toast = useToast();
  return (
    <tr>
      <Td className="py-1.5">
        <Id value={row.intentId} href={`${path}/${row.intentId}`} isRowLink />
      </Td>
      <Td>
        <Chip>{STATUS_LABELS[row.status]}</Chip>
      </Td>
      <TimeTd at={row.since} now={at} />
      <Td>{row.amount}</Td>
      <IdTd value={row.payer} copy="hover" />
      <Td className="min-w-60 py-1.5 whitespace-normal">
        <Evidence row={row} at={at} />
        <Refusal result={result} />
      </Td>
      <Td className="text-right">
        <Button
          size="sm"
          isPending={isPending}
          aria-label={`Re-check ${row.intentId}`}
          onClick={() => {
            run({ intentId: row.intentId }, ({ status }) => {
              toast.show("Checked on the chain", `The purchase is now: ${STATUS_LABELS[status]}.`);
              onDone();
            });
          }}
        >
          Re-check
        </Button>
      </Td>
    </tr>
  );
}

function Queue({ path, initial, recheck }: Props) {
  const router = useRouter();
  const { data, error, refetch } = usePolled(`${path}/queue`, initial, INTERVAL_MS);
  const { items, at, hasMore } = data;
  const count = useRef(items.length);
  useEffect(() => {
    // The other parts of the page are rendered on the server: refresh them when a payment arrived or was resolved.
    if (count.current !== items.length) router.refresh();
    count.current = items.length;
  }, [items.length, router]);
  return (
    <Panel
      id="queue"
      title={`Payments without an outcome (${items.length}${hasMore ? "+" : ""})`}
      aside={
        <span role="status">{error ? `${failureText(error)}; shown is the last state` : "checked every 5 s"}</span>
      }
      className="mb-4"
    >
      {items.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">
          Nothing is waiting. An unclear settlement appears here until the chain proves its outcome; nobody has to
          decide manually.
        </p>
      ) : (
        <Table
          label="Payments without an outcome"
          columns={["Purchase", "State", "Waits since", "Amount", "Payer", "Evidence", <ActionsTh />]}
        >
          {items.map((row) => (
            <QueueLine
              key={row.intentId}
              row={row}
              at={at}
              path={path}
              recheck={recheck}
              onDone={() => {
                void refetch();
                router.refresh();
              }}
            />
          ))}
        </Table>
      )}
    </Panel>
  );
}

/** The reconciliation queue, polled every five seconds while the page is visible. */
export function TrialQueue(props: Props) {
  return (
    <LiveClient>
      <Queue {...props} />
    </LiveClient>
  );
}
