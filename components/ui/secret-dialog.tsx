"use client";

import { useRouter } from "next/navigation";
import { type ReactElement, type ReactNode, useState } from "react";

import type { Action } from "./action-result";
import { Button } from "./button";
import { Dialog, DialogActions, DialogClose } from "./dialog";
import { useNavigate } from "./navigation-progress";
import { OneTimeSecret } from "./one-time-secret";
import { Refusal } from "./refusal";
import { useAction } from "./use-action";
import { useLeaveGuard } from "./use-leave-guard";

/**
 * A form in a dialog whose action creates a secret, which is shown once.
 * Its `trigger` opens it, or the owner of the `open` state.
 */
export function SecretDialog<Input, Made extends { secret: string; environmentId?: string }>(props: {
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
  /** Shown above the secret. */
  above?: (made: Made) => ReactNode;
  doneLabel?: string;
  /** URL to open when the secret is stored; otherwise the page is refreshed. */
  next?: (made: Made) => string;
  onClosed: () => void;
  children: ReactNode;
}) {
  const router = useRouter();
  const navigate = useNavigate();
  const [isOpenByTrigger, setOpenByTrigger] = useState(false);
  const { open = isOpenByTrigger, onOpenChange = setOpenByTrigger, madeTitle, next } = props;
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
        if (wasMade && !next) router.refresh();
      }}
    >
      {made ? (
        <div className="flex flex-col gap-4">
          {props.above?.(made)}
          <OneTimeSecret
            secret={made.secret}
            {...(made.environmentId !== undefined && { environmentId: made.environmentId })}
            {...(props.variable !== undefined && { variable: props.variable })}
            {...(props.kept !== undefined && { kept: props.kept })}
            doneLabel={props.doneLabel ?? "Close"}
            onDone={() => {
              onOpenChange(false);
              if (next) navigate(next(made));
            }}
          />
        </div>
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
