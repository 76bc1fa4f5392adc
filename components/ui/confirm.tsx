"use client";

import { type ReactElement, type ReactNode, useState } from "react";

import { Field } from "./field";
import { Input } from "./input";
import type { Action } from "./action-result";
import { FormDialog } from "./form-dialog";

/** Confirmation dialog. With `typed` the person has to type that word first. */
export function Confirm<Input>(props: {
  trigger: ReactElement;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  typed?: string;
  /** The action can be undone: the button is not styled as dangerous. */
  isSafe?: boolean;
  action: Action<Input, unknown>;
  input: Input;
  done: string;
  /** Address to go to when the current page no longer exists. */
  next?: string;
}) {
  const [typed, setTyped] = useState("");
  return (
    <FormDialog
      title={props.title}
      trigger={props.trigger}
      submit={props.confirmLabel}
      isDanger={!props.isSafe}
      isIncomplete={props.typed !== undefined && typed !== props.typed}
      action={props.action}
      input={props.input}
      done={props.done}
      next={props.next}
      onClosed={() => {
        setTyped("");
      }}
    >
      <div className="text-fg-muted">{props.children}</div>
      {props.typed ? (
        <Field label={`Type “${props.typed}” to confirm`}>
          <Input value={typed} autoComplete="off" onText={setTyped} />
        </Field>
      ) : null}
    </FormDialog>
  );
}
