"use client";

import { Plus } from "lucide-react";
import { useState } from "react";

import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Checkbox, Input, NativeSelect } from "@/components/ui/input";
import type { Action } from "@/components/ui/action-result";
import { SecretDialog } from "@/components/ui/secret-dialog";
import { useOpenByAddress } from "@/components/ui/use-open-by-address";
import { foreign } from "@/components/ui/foreign";

export type NewSecret = { secret: string; name: string };
type CreateInput = { workspaceId: string; name: string; expiresAfterDays?: number };

const LIFETIMES = [
  { days: 0, label: "Never" },
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
  { days: 365, label: "1 year" },
] as const;

/** Creates a key and shows its secret once. */
export function CreateKey({ workspaceId, create }: { workspaceId: string; create: Action<CreateInput, NewSecret> }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState(0);
  const [isOpen, setOpen] = useOpenByAddress("key");
  return (
    <SecretDialog
      title="New key"
      open={isOpen}
      onOpenChange={setOpen}
      madeTitle={(made) => `Store the key “${foreign(made.name)}”`}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden />
          New key
        </Button>
      }
      submit="Create key"
      action={create}
      input={{ workspaceId, name, ...(days > 0 ? { expiresAfterDays: days } : {}) }}
      onClosed={() => {
        setName("");
        setDays(0);
      }}
    >
      <Field label="Name" hint="Where it will be used, for example “server-prod”.">
        <Input required maxLength={80} value={name} onText={setName} />
      </Field>
      <Field label="Expires">
        <NativeSelect
          value={days}
          onChange={(event) => {
            setDays(Number(event.currentTarget.value));
          }}
        >
          {LIFETIMES.map((lifetime) => (
            <option key={lifetime.days} value={lifetime.days}>
              {lifetime.label}
            </option>
          ))}
        </NativeSelect>
      </Field>
    </SecretDialog>
  );
}

const OVERLAPS = [
  { value: "0", label: "Revoke immediately", note: "it leaked" },
  { value: "15m", label: "15 minutes", note: "" },
  { value: "1h", label: "1 hour", note: "" },
  { value: "6h", label: "6 hours", note: "" },
  { value: "24h", label: "24 hours", note: "" },
  { value: "7d", label: "7 days", note: "" },
] as const;
export type OverlapChoice = (typeof OVERLAPS)[number]["value"];
export type Extension = Exclude<OverlapChoice, "0">;

function OverlapField<Choice extends OverlapChoice>(props: {
  legend: string;
  choices: readonly { value: Choice; label: string; note: string }[];
  chosen: Choice;
  onChoose: (choice: Choice) => void;
}) {
  return (
    <fieldset>
      <legend className="mb-1.5">{props.legend}</legend>
      <div className="grid gap-1 sm:grid-cols-2">
        {props.choices.map(({ value, label, note }) => (
          <label key={value} className="flex min-h-6 items-center gap-2">
            <input
              type="radio"
              name="overlap"
              className="size-4 accent-accent"
              checked={props.chosen === value}
              onChange={() => {
                props.onChoose(value);
              }}
            />
            {label}
            {note ? <span className="text-fg-muted">({note})</span> : null}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type OfKey = { workspaceId: string; keyId: string };
export type RotateAction = Action<OfKey & { overlap: OverlapChoice }, NewSecret>;
export type ExtendAction = Action<OfKey & { overlap: Extension }, unknown>;
/** The key of an open dialog; undefined while it is closed. */
type Chosen = { keyId: string; name: string; shown: string; lastUsed: string | undefined } | undefined;
type RotateProps = { workspaceId: string; rotating: Chosen; onClose: () => void; rotate: RotateAction };

const usedText = (chosen: Chosen) => (chosen?.lastUsed ? `Last used ${chosen.lastUsed}.` : "Not used so far.");

/** Rotates a key; the old one stays valid for the overlap. Rendered outside the rows, which a refresh replaces. */
export function RotateKey({ workspaceId, rotating, onClose, rotate }: RotateProps) {
  const [overlap, setOverlap] = useState<OverlapChoice>("24h");
  const [isReady, setReady] = useState(false);
  return (
    <SecretDialog
      title={`Rotate “${foreign(rotating?.name ?? "")}”`}
      description={<span className="font-mono text-xs">{rotating?.shown}</span>}
      madeTitle={(made) => `Store the new secret of “${foreign(made.name)}”`}
      open={rotating !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      submit="Rotate key"
      isIncomplete={!isReady}
      action={rotate}
      input={{ workspaceId, keyId: rotating?.keyId ?? "", overlap }}
      onClosed={() => {
        setReady(false);
        setOverlap("24h");
      }}
    >
      <OverlapField
        legend="A new secret is made now. The current one keeps working for:"
        choices={OVERLAPS}
        chosen={overlap}
        onChoose={setOverlap}
      />
      <p className="text-fg-muted">
        {usedText(rotating)} The overlap never reaches beyond the key&apos;s own expiry, and can be extended and ended
        early.
      </p>
      <label className="flex gap-2">
        <Checkbox checked={isReady} onCheck={setReady} />
        {overlap === "0"
          ? "Requests with the old secret may fail from now on"
          : "I can deploy the new secret in that time"}
      </label>
    </SecretDialog>
  );
}

const EXTENSIONS = OVERLAPS.filter((each): each is Extract<typeof each, { value: Extension }> => each.value !== "0");

type ExtendProps = { workspaceId: string; extending: Chosen; onClose: () => void; extend: ExtendAction };

/** Extends the overlap in which the former secret of a key is accepted. */
export function ExtendOverlap({ workspaceId, extending, onClose, extend }: ExtendProps) {
  const [overlap, setOverlap] = useState<Extension>("24h");
  return (
    <FormDialog
      title={`Accept the former secret of “${foreign(extending?.name ?? "")}” for longer`}
      description={<span className="font-mono text-xs">{extending?.shown}</span>}
      open={extending !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      submit="Extend"
      action={extend}
      input={{ workspaceId, keyId: extending?.keyId ?? "", overlap }}
      done="The former secret is accepted for longer"
      onClosed={() => {
        setOverlap("24h");
      }}
    >
      <OverlapField legend="From now on for:" choices={EXTENSIONS} chosen={overlap} onChoose={setOverlap} />
      <p className="text-fg-muted">{usedText(extending)} It ends with the key&apos;s own expiry at the latest.</p>
    </FormDialog>
  );
}
