"use client";

import { type ReactNode, useState } from "react";

import { Field } from "./field";
import { typeable } from "./foreign";
import { Input } from "./input";
import { FormDialog, type FormDialogProps } from "./form-dialog";

/** Confirmation dialog. With `typed`, the person must type that word first. */
export function Confirm<Input, Output, Asked>({
  children,
  confirmLabel,
  typed: wanted,
  isSafe = false,
  ...form
}: Omit<FormDialogProps<Input, Output, Asked>, "submit" | "isDanger" | "isIncomplete" | "onClosed"> & {
  children: ReactNode;
  confirmLabel: string;
  typed?: string;
  /** The action can be undone, so the button is not styled as dangerous. */
  isSafe?: boolean;
}) {
  const [typed, setTyped] = useState("");
  return (
    <FormDialog
      {...form}
      submit={confirmLabel}
      isDanger={!isSafe}
      isIncomplete={wanted !== undefined && typeable(typed) !== typeable(wanted)}
      onClosed={() => {
        setTyped("");
      }}
    >
      <div className="text-fg-muted">{children}</div>
      {wanted ? (
        <Field
          label={
            <>
              Type “<bdi>{typeable(wanted)}</bdi>” to confirm
            </>
          }
        >
          <Input value={typed} autoComplete="off" onText={setTyped} />
        </Field>
      ) : null}
    </FormDialog>
  );
}
