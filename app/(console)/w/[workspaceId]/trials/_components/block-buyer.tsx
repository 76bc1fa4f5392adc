"use client";

import { useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { FormDialog } from "@/components/ui/form-dialog";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { ReasonField } from "./reason-field";

type Props = {
  /** Known origins and payers to choose from; with none, a text field is shown. */
  buyers: readonly string[];
  block: Action<{ buyer: string; reason: string }, unknown>;
};

/** Form to block a buyer. */
export function BlockBuyer({ buyers, block }: Props) {
  const [first = ""] = buyers;
  const [buyer, setBuyer] = useState(first);
  const [reason, setReason] = useState("");
  return (
    <FormDialog
      title="Block a buyer"
      trigger={<Button variant={buyers.length > 0 ? "danger" : "secondary"}>Block…</Button>}
      submit="Block"
      isDanger
      isIncomplete={buyer === ""}
      action={block}
      input={{ buyer, reason }}
      done="Nothing is sold to this buyer any more"
      onClosed={() => {
        setBuyer(first);
        setReason("");
      }}
    >
      <p className="text-fg-muted">
        New purchases are refused before anything is charged. Payments already submitted continue, and running trials
        stay as they are.
      </p>
      <Field label="Origin or payer" hint="https://agent.example, or the address that pays, 0x and 40 hex digits.">
        <Input
          required
          spellCheck={false}
          autoComplete="off"
          className="font-mono text-xs"
          list="known-buyers"
          value={buyer}
          onChange={(event) => {
            setBuyer(event.currentTarget.value.trim());
          }}
        />
      </Field>
      <datalist id="known-buyers">
        {buyers.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <ReasonField label="Reason" hint="Kept in the list and the audit log." value={reason} onChange={setReason} />
    </FormDialog>
  );
}
