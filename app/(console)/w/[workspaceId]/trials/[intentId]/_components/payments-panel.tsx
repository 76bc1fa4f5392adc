import type { ReactNode } from "react";

import { Chip } from "@/components/ui/chip";
import { Id } from "@/components/ui/id";
import { Facts, Panel } from "@/components/ui/panel";
import { AbsoluteTime } from "@/components/ui/time";
import { Amount } from "../../_components/amount";
import { evidenceLabel } from "../../_components/labels";

export type AttemptView = {
  attemptId: string;
  network: string;
  asset: string;
  payer: string;
  nonce: string;
  payTo: string;
  amount: { atomic: string; text: string | undefined };
  createdAt: Date;
  validUntil: Date;
  resolvedAt: Date | null;
  outcome: "settled" | "failed" | null;
  transaction: string | null;
  evidence: string | null;
  evidenceBlock: string | null;
  finalAt: Date | null;
  takenBackAt: Date | null;
};

const OUTCOMES = { settled: "settled", failed: "proven unpaid" } as const;

function outcomeText({ outcome, takenBackAt }: AttemptView): string {
  if (takenBackAt !== null) return "taken back by the chain";
  return outcome === null ? "not known yet" : OUTCOMES[outcome];
}

/** Note for the operator's choice: the service never charges again. */
function TakenBack({ at }: { at: Date }) {
  return (
    <p className="border-b bg-surface-2 px-4 py-3">
      A reorganised chain has taken this payment back, as was proven <AbsoluteTime at={at} />. The trial was granted
      before and continues. Revoke it, or leave it as it is; block the payer to keep it from buying again. Nobody is
      charged again by itself.
    </p>
  );
}

function Proof({ attempt }: { attempt: AttemptView }) {
  const { transaction, evidence, evidenceBlock, finalAt, takenBackAt } = attempt;
  if (transaction !== null && takenBackAt === null) {
    return (
      <>
        The chain shows its transfer in <Id value={transaction} copy="always" />
        {finalAt === null ? ", not in a final block yet" : ", which is final"}
      </>
    );
  }
  if (evidence === null) return <span className="text-fg-muted">none yet: the outcome is not known</span>;
  return (
    <>
      {evidenceLabel(evidence)}
      {evidenceBlock === null ? null : (
        <>
          {" "}
          Block <span className="font-mono text-xs">{evidenceBlock}</span> proves it.
        </>
      )}
    </>
  );
}

/** One payment that was accepted for settlement, with its state on the chain. */
function Attempt({ attempt }: { attempt: AttemptView }) {
  const { outcome } = attempt;
  return (
    <Facts
      rows={[
        {
          name: "Outcome",
          value: <Chip isActive={outcome === "settled" && attempt.takenBackAt === null}>{outcomeText(attempt)}</Chip>,
        },
        { name: "Evidence", value: <Proof attempt={attempt} /> },
        { name: "Amount", value: <Amount {...attempt.amount} /> },
        { name: "Payer", value: <Id value={attempt.payer} copy="always" /> },
        { name: "Paid to", value: <Id value={attempt.payTo} copy="hover" /> },
        { name: "Token", value: <Id value={attempt.asset} copy="hover" /> },
        { name: "Network", value: <span className="font-mono text-xs">{attempt.network}</span> },
        { name: "Nonce", value: <Id value={attempt.nonce} copy="hover" /> },
        { name: "Accepted", value: <AbsoluteTime at={attempt.createdAt} /> },
        { name: "Valid until", value: <AbsoluteTime at={attempt.validUntil} /> },
        ...(attempt.resolvedAt === null ? [] : [{ name: "Decided", value: <AbsoluteTime at={attempt.resolvedAt} /> }]),
      ]}
    />
  );
}

export function PaymentsPanel({ attempts }: { attempts: readonly AttemptView[] }) {
  return (
    <Panel id="payments" title={`Payments (${attempts.length})`} aside="the signed payload is never shown">
      {attempts.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">No payment was presented.</p>
      ) : (
        <ol className="divide-y-4 divide-surface-2">
          {attempts.map((attempt) => (
            <li key={attempt.attemptId}>
              {attempt.takenBackAt === null ? null : <TakenBack at={attempt.takenBackAt} />}
              <Attempt attempt={attempt} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

type Refund = { transaction: string; notedAt: Date; by: ReactNode; note: string | null };
type RefundProps = { payer: string; amount: AttemptView["amount"]; request: string; refunds: readonly Refund[] };

/** How to refund a payment, and the recorded refunds. */
export function RefundPanel({ payer, amount, request, refunds }: RefundProps) {
  return (
    <Panel id="refund" title="Refund">
      <div className="px-4 py-3">
        <p>
          To give the payment back, send <Amount {...amount} /> to <Id value={payer} copy="always" /> with your own
          wallet, and record the transfer here.
        </p>
        <p className="mt-1 text-fg-muted">
          The same as a wallet request: <Id value={request} copy="always" />
        </p>
      </div>
      {refunds.length === 0 ? null : (
        <ul className="border-t">
          {refunds.map((refund) => (
            <li key={refund.transaction} className="border-b px-4 py-2 last:border-b-0">
              Refunded with <Id value={refund.transaction} copy="always" />
              <span className="block text-xs text-fg-muted">
                noted <AbsoluteTime at={refund.notedAt} /> by {refund.by}
                {refund.note === null ? "" : `: ${refund.note}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
