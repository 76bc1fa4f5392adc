"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { FormDialog } from "@/components/ui/form-dialog";
import { Refusal } from "@/components/ui/refusal";
import { useAction } from "@/components/ui/use-action";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useToast } from "@/components/ui/toast";
import type { IntentStatus } from "@/lib/contract/trial";
import { ReasonField } from "../../_components/reason-field";
import { STATUS_LABELS } from "../../_components/labels";

type OfIntent = { intentId: string };
type Outcome = { status: IntentStatus };
export type PurchaseActionsProps = {
  intentId: string;
  canRecheck: boolean;
  canRevoke: boolean;
  canRefund: boolean;
  recheck: Action<OfIntent, Outcome>;
  revoke: Action<OfIntent & { reason: string }, Outcome>;
  recordRefund: Action<OfIntent & { transaction: string; note: string }, unknown>;
};

function Revoke({ intentId, revoke }: Pick<PurchaseActionsProps, "intentId" | "revoke">) {
  const [reason, setReason] = useState("");
  return (
    <FormDialog
      title="Revoke this purchase?"
      trigger={<Button variant="danger">Revoke</Button>}
      submit="Revoke for good"
      isDanger
      action={revoke}
      input={{ intentId, reason }}
      done="Revoked"
      onClosed={() => {
        setReason("");
      }}
    >
      <p className="text-fg-muted">
        From this moment its key reads no Report and its environment accepts no visit. This does not return the money.
      </p>
      <ReasonField label="Reason" hint="Kept in the history and the audit log." value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function RecordRefund({ intentId, recordRefund }: Pick<PurchaseActionsProps, "intentId" | "recordRefund">) {
  const [transaction, setTransaction] = useState("");
  const [note, setNote] = useState("");
  return (
    <FormDialog
      title="Record a refund"
      trigger={<Button>Record a refund</Button>}
      submit="Record the refund"
      action={recordRefund}
      input={{ intentId, transaction, note }}
      done="The refund is recorded"
      onClosed={() => {
        setTransaction("");
        setNote("");
      }}
    >
      <p className="text-fg-muted">
        This service cannot move money back: send the transfer with your own wallet first, then name it here. The trial
        continues until you revoke it.
      </p>
      <Field label="Your transaction" hint="0x and 64 hex digits.">
        <Input
          required
          spellCheck={false}
          autoComplete="off"
          className="font-mono text-xs"
          value={transaction}
          onText={setTransaction}
        />
      </Field>
      <ReasonField label="Note" value={note} onChange={setNote} />
    </FormDialog>
  );
}

function Recheck({ intentId, recheck }: Pick<PurchaseActionsProps, "intentId" | "recheck">) {
  const { run, result, isPending } = useAction(recheck);
  const router = useRouter();
  const toast = useToast();
  return (
    <>
      <Button
        variant="primary"
        isPending={isPending}
        onClick={() => {
          run({ intentId }, ({ status }) => {
            toast.show("Checked on the chain", `The purchase is now: ${STATUS_LABELS[status]}.`);
            router.refresh();
          });
        }}
      >
        {isPending ? "Looking" : "Re-check now"}
      </Button>
      <Refusal result={result} />
    </>
  );
}

/** Actions of the operator on a purchase. Payment states come from the chain only. */
export function PurchaseActions(props: PurchaseActionsProps) {
  return (
    <>
      {props.canRecheck ? <Recheck {...props} /> : null}
      {props.canRefund ? <RecordRefund {...props} /> : null}
      {props.canRevoke ? <Revoke {...props} /> : null}
    </>
  );
}
