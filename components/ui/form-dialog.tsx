"use client";

import { useRouter } from "next/navigation";
import { type ReactElement, type ReactNode, useState } from "react";

import { Button } from "./button";
import { Consequences, type ConsequencesProps, questionOf } from "./consequences";
import { Dialog, DialogActions, DialogClose } from "./dialog";
import { type ToastAction, useToast } from "./toast";
import type { Action } from "./action-result";
import { Refusal } from "./refusal";
import { useAction } from "./use-action";

export type FormDialogProps<Input, Output, Asked> = {
  title: string;
  description?: ReactNode;
  /** Opens it; else `open` does. */
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  submit: string;
  isDanger?: boolean;
  /** Required input is missing: the form cannot be submitted. */
  isIncomplete?: boolean;
  action: Action<Input, Output>;
  input: Input;
  /** What is said when it is done; nothing where the page that is shown then says it. */
  done?: string;
  /** Offered for as long as that is shown. */
  undo?: ToastAction | undefined;
  /** Address to go to: of what was made, or because the current page no longer exists. */
  next?: string | ((made: Output) => string) | undefined;
  /** What it ends or deletes, read when the dialog opens; it can be confirmed once that is shown. */
  consequences?: ConsequencesProps<Asked> | undefined;
  onClosed?: () => void;
  children?: ReactNode;
};

/** A form in a dialog that runs one action, reports the result, and refreshes the page or goes to the next one. */
export function FormDialog<Input, Output, Asked>(props: FormDialogProps<Input, Output, Asked>) {
  const [isOpenByTrigger, setOpenByTrigger] = useState(false);
  const [read, setRead] = useState<string>();
  // Nobody confirms what is still being counted, and the button does not move as they press it.
  const isCounting = props.consequences !== undefined && read !== questionOf(props.consequences.asked);
  const { open = isOpenByTrigger, onOpenChange = setOpenByTrigger, done, next } = props;
  const { run, result, isPending, reset } = useAction(props.action);
  const router = useRouter();
  const toast = useToast();
  const finish = (made: Output) => {
    onOpenChange(false);
    if (done !== undefined) toast.show(done, undefined, props.undo);
    if (next === undefined) router.refresh();
    else router.push(typeof next === "string" ? next : next(made));
  };
  return (
    <Dialog
      title={props.title}
      description={props.description}
      {...(props.trigger !== undefined && { trigger: props.trigger })}
      open={open}
      onOpenChange={onOpenChange}
      mustBeAnswered={isPending}
      onClosed={() => {
        reset();
        setRead(undefined);
        props.onClosed?.();
      }}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          run(props.input, finish);
        }}
      >
        {props.children}
        {props.consequences ? <Consequences {...props.consequences} onRead={setRead} /> : null}
        <Refusal result={result} />
        <DialogActions>
          <DialogClose>Cancel</DialogClose>
          <Button
            type="submit"
            variant={props.isDanger ? "danger" : "primary"}
            disabled={isPending || isCounting || props.isIncomplete}
          >
            {props.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
