"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { Button } from "@/components/ui/button";
import { Dialog, DialogActions, DialogClose } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Checkbox, Input, NativeSelect } from "@/components/ui/input";
import type { Action } from "@/components/ui/action-result";
import { Refusal } from "@/components/ui/refusal";
import { OneTimeSecret } from "@/components/ui/one-time-secret";
import { useAction } from "@/components/ui/use-action";

export type NewSecret = { secret: string; name: string };
type CreateInput = { workspaceId: string; name: string; expiresAfterDays?: number };

const LIFETIMES = [
  { days: 0, label: "Never" },
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
  { days: 365, label: "1 year" },
] as const;

/** Creates a key and shows its secret once. The list is refreshed when the dialog has closed. */
export function CreateKey({ workspaceId, create }: { workspaceId: string; create: Action<CreateInput, NewSecret> }) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [days, setDays] = useState(0);
  const { run, result, isPending, reset } = useAction(create);
  const made = result?.ok ? result.value : undefined;
  return (
    <Dialog
      title={made ? `Store the key “${made.name}”` : "New key"}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden />
          New key
        </Button>
      }
      open={isOpen}
      onOpenChange={setOpen}
      mustBeAnswered={made !== undefined}
      onClosed={() => {
        const wasMade = made !== undefined;
        reset();
        setName("");
        setDays(0);
        if (wasMade) router.refresh();
      }}
    >
      {made ? (
        <OneTimeSecret
          secret={made.secret}
          doneLabel="Close"
          onDone={() => {
            setOpen(false);
          }}
        />
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            run({ workspaceId, name, ...(days > 0 ? { expiresAfterDays: days } : {}) });
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
          <Refusal result={result} />
          <DialogActions>
            <DialogClose>Cancel</DialogClose>
            <Button type="submit" variant="primary" disabled={isPending}>
              Create key
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
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

type RotateInput = { workspaceId: string; keyId: string; overlap: OverlapChoice };
type RotateProps = {
  workspaceId: string;
  /** The key to rotate; undefined while the dialog is closed. */
  rotating: { keyId: string; name: string; shown: string; lastUsed: string | undefined } | undefined;
  onClose: () => void;
  rotate: Action<RotateInput, NewSecret>;
};

/** Rotates a key; the old one stays valid for the chosen overlap. Outside the rows, which a refresh replaces. */
export function RotateKey({ workspaceId, rotating, onClose, rotate }: RotateProps) {
  const router = useRouter();
  const [overlap, setOverlap] = useState<OverlapChoice>("24h");
  const [isReady, setReady] = useState(false);
  const { run, result, isPending, reset } = useAction(rotate);
  const made = result?.ok ? result.value : undefined;
  return (
    <Dialog
      title={made ? `Store the new key “${made.name}”` : `Rotate “${rotating?.name ?? ""}”`}
      description={made ? undefined : <span className="font-mono text-xs">{rotating?.shown}</span>}
      open={rotating !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      mustBeAnswered={made !== undefined}
      onClosed={() => {
        const wasMade = made !== undefined;
        reset();
        setReady(false);
        setOverlap("24h");
        if (wasMade) router.refresh();
      }}
    >
      {made ? (
        <OneTimeSecret secret={made.secret} doneLabel="Close" onDone={onClose} />
      ) : (
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (rotating) run({ workspaceId, keyId: rotating.keyId, overlap });
          }}
        >
          <fieldset>
            <legend className="mb-1.5">A new key is created now. The current key keeps working for:</legend>
            <div className="grid gap-1 sm:grid-cols-2">
              {OVERLAPS.map(({ value, label, note }) => (
                <label key={value} className="flex min-h-6 items-center gap-2">
                  <input
                    type="radio"
                    name="overlap"
                    className="size-4 accent-accent"
                    checked={overlap === value}
                    onChange={() => {
                      setOverlap(value);
                    }}
                  />
                  {label}
                  {note ? <span className="text-fg-muted">({note})</span> : null}
                </label>
              ))}
            </div>
          </fieldset>
          <p className="text-fg-muted">
            {rotating?.lastUsed ? `Last used ${rotating.lastUsed}.` : "Not used so far."} The overlap never reaches
            beyond the key&apos;s own expiry and can be ended early.
          </p>
          <label className="flex gap-2">
            <Checkbox checked={isReady} onCheck={setReady} />
            {overlap === "0"
              ? "Requests with the old key may fail from now on"
              : "I can deploy the new key in that time"}
          </label>
          <Refusal result={result} />
          <DialogActions>
            <DialogClose>Cancel</DialogClose>
            <Button type="submit" variant="primary" disabled={isPending || !isReady}>
              Rotate key
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
