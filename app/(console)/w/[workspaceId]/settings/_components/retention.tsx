"use client";

import { useState } from "react";

import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { ReadConsequences } from "@/components/shell/consequence-asked";
import type { Action } from "@/components/ui/action-result";
import { Confirm } from "@/components/ui/confirm";
import { FormDialog } from "@/components/ui/form-dialog";

type RetentionProps = {
  workspaceId: string;
  /** Retention of the workspace itself; null if the instance's applies. */
  ownDays: number | null;
  minDays: number;
  maxDays: number;
  save: Action<{ workspaceId: string; days: number | null }, unknown>;
  readConsequences: ReadConsequences;
};

/** Form for the retention of a workspace. */
export function ChangeRetention(props: RetentionProps) {
  const { workspaceId, ownDays, minDays, maxDays, save, readConsequences } = props;
  const current = ownDays === null ? "" : String(ownDays);
  const [text, setText] = useState(current);
  const [typed, setTyped] = useState("");
  const days = text === "" ? null : Number(text);
  const kept = Math.min(ownDays ?? maxDays, maxDays);
  const isPossible = days === null || (Number.isInteger(days) && days >= minDays && days <= maxDays);
  const isShorter = isPossible && (days ?? maxDays) < kept;
  return (
    <FormDialog
      title="How long visits are kept"
      trigger={<Button size="sm">Change…</Button>}
      submit="Save"
      isDanger={isShorter}
      isIncomplete={text === current || (isShorter && typed !== "delete")}
      action={save}
      input={{ workspaceId, days }}
      done={isShorter ? "Saved. Older visits are deleted within the hour" : "Saved"}
      consequences={isShorter ? { asked: { what: "retention", workspaceId, days }, read: readConsequences } : undefined}
      onClosed={() => {
        setText(current);
        setTyped("");
      }}
    >
      <Field
        label="Days"
        optional
        hint={`${minDays} to ${maxDays}. Empty: as long as this instance keeps visits, ${maxDays} days.`}
      >
        <Input type="number" inputMode="numeric" min={minDays} max={maxDays} value={text} onText={setText} />
      </Field>
      <p className="text-fg-muted">
        Visits that are older are deleted within the hour, with their Reports and links to accounts, for good. Usage and
        devices stay.
      </p>
      {isShorter ? (
        <Field label="Type “delete” to confirm">
          <Input value={typed} autoComplete="off" onText={setTyped} />
        </Field>
      ) : null}
    </FormDialog>
  );
}

type ViewLogProps = {
  workspaceId: string;
  isOn: boolean;
  save: Action<{ workspaceId: string; isOn: boolean }, unknown>;
};

/** Switches the log of opened Reports. */
export function SwitchViewLog({ workspaceId, isOn, save }: ViewLogProps) {
  const label = isOn ? "Stop logging" : "Start logging";
  return (
    <Confirm
      trigger={<Button size="sm">{label}…</Button>}
      title={isOn ? "Stop logging opened Reports?" : "Log opened Reports?"}
      confirmLabel={label}
      isSafe
      action={save}
      input={{ workspaceId, isOn: !isOn }}
      done={isOn ? "Opened Reports are not logged any more" : "Opened Reports are logged"}
    >
      The audit log {isOn ? "no longer notes" : "notes"} who opens which Report in the Console. That you changed this is
      an entry, too.
    </Confirm>
  );
}
