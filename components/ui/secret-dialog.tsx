"use client";

import { useRouter } from "next/navigation";
import { type ReactElement, type ReactNode, useState } from "react";

import type { Action } from "./action-result";
import { Button } from "./button";
import { Dialog, DialogActions, DialogClose } from "./dialog";
import { OneTimeSecret } from "./one-time-secret";
import { Refusal } from "./refusal";
import { useAction } from "./use-action";
import { useLeaveGuard } from "./use-leave-guard";

/**
 * A form in a dialog whose action creates a secret, which is shown once. The page is refreshed when the dialog closes.
 * Its `trigger` opens it, or the owner of the `open` state.
 */
export function SecretDialog<Input, Made extends { secret: string }>(props: {
  title: string;
  description?: ReactNode;
  madeTitle: string | ((made: Made) => string);
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  submit: string;
  isIncomplete?: boolean;
  action: Action<Input, Made>;
  input: Input;
  /** Names the secret in the downloaded file. */
  variable?: string;
  kept?: string;
  onClosed: () => void;
  children: ReactNode;
}) {
  const router = useRouter();
  const [isOpenByTrigger, setOpenByTrigger] = useState(false);
  const { open = isOpenByTrigger, onOpenChange = setOpenByTrigger, madeTitle } = props;
  const { run, result, isPending, reset } = useAction(props.action);
  useLeaveGuard(isPending);
  const made = result?.ok ? result.value : undefined;
  return (
    <Dialog
      title={made ? (typeof madeTitle === "string" ? madeTitle : madeTitle(made)) : props.title}
      description={made ? undefined : props.description}
      {...(props.trigger !== undefined && { trigger: props.trigger })}
      open={open}
      onOpenChange={onOpenChange}
      mustBeAnswered={made !== undefined || isPending}
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
          {...(props.variable !== undefined && { variable: props.variable })}
          {...(props.kept !== undefined && { kept: props.kept })}
          doneLabel="Close"
          onDone={() => {
            onOpenChange(false);
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
            <Button type="submit" variant="primary" isPending={isPending} disabled={props.isIncomplete}>
              {props.submit}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
