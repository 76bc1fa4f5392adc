"use client";

import { useRouter } from "next/navigation";
import { type ReactElement, type ReactNode, useState } from "react";

import type { Action } from "./action-result";
import { Button } from "./button";
import { Dialog, DialogActions, DialogClose } from "./dialog";
import { OneTimeSecret } from "./one-time-secret";
import { Refusal } from "./refusal";
import { useAction } from "./use-action";

/** A form in a dialog whose action makes a secret, which is shown once. The page is refreshed when it has closed. */
export function SecretDialog<Input>(props: {
  title: string;
  madeTitle: string;
  trigger: ReactElement;
  submit: string;
  isIncomplete?: boolean;
  action: Action<Input, { secret: string }>;
  input: Input;
  variable: string;
  kept?: string;
  onClosed: () => void;
  children: ReactNode;
}) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const { run, result, isPending, reset } = useAction(props.action);
  const made = result?.ok ? result.value : undefined;
  return (
    <Dialog
      title={made ? props.madeTitle : props.title}
      trigger={props.trigger}
      open={isOpen}
      onOpenChange={setOpen}
      mustBeAnswered={made !== undefined}
      onClosed={() => {
        const wasMade = made !== undefined;
        reset();
        props.onClosed();
        if (wasMade) router.refresh();
      }}
    >
      {made ? (
        <OneTimeSecret
          secret={made.secret}
          variable={props.variable}
          {...(props.kept !== undefined && { kept: props.kept })}
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
            run(props.input);
          }}
        >
          {props.children}
          <Refusal result={result} />
          <DialogActions>
            <DialogClose>Cancel</DialogClose>
            <Button type="submit" variant="primary" disabled={isPending || props.isIncomplete}>
              {props.submit}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
