"use client";

import { useRouter } from "next/navigation";
import { type ReactElement, type ReactNode, useState } from "react";

import { Button } from "./button";
import { Consequences, type ConsequencesProps, questionOf } from "./consequences";
import { Dialog, DialogActions, DialogClose } from "./dialog";
import { type Undo, useToast } from "./toast";
import type { Action } from "./action-result";
import { useNavigate } from "./navigation-progress";
import { Refusal } from "./refusal";
import { useAction } from "./use-action";

export type FormDialogProps<Input, Output, Asked> = {
  title: string;
  description?: ReactNode;
  /** Element that opens the dialog; otherwise `open` does. */
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  submit: string;
  isDanger?: boolean;
  /** Required input is missing: the form cannot be submitted. */
  isIncomplete?: boolean;
  action: Action<Input, Output>;
  input: Input;
  /** Message on success; undefined if the page shown next says it. */
  done?: string;
  /** Offered while that message is shown. */
  undo?: Undo | undefined;
  /** URL to open on success: of the created object, or because the current page no longer exists. */
  next?: string | ((made: Output) => string) | undefined;
  /** Consequences, read when the dialog opens; it can be confirmed once they are shown. */
  consequences?: ConsequencesProps<Asked> | undefined;
  onClosed?: () => void;
  children?: ReactNode;
};

/** A form in a dialog that runs one action, reports the result, and refreshes the page or goes to the next one. */
export function FormDialog<Input, Output, Asked>(props: FormDialogProps<Input, Output, Asked>) {
  const [isOpenByTrigger, setOpenByTrigger] = useState(false);
  const [read, setRead] = useState<string>();
  // Nobody can confirm while the consequences are being counted, and the button does not move when pressed.
  const isCounting = props.consequences !== undefined && read !== questionOf(props.consequences.asked);
  const { open = isOpenByTrigger, onOpenChange = setOpenByTrigger, done, next } = props;
  const { run, result, isPending, reset } = useAction(props.action);
  const router = useRouter();
  const navigate = useNavigate();
  const toast = useToast();
  const finish = (made: Output) => {
    onOpenChange(false);
    if (done !== undefined) toast.show(done, undefined, props.undo);
    if (next === undefined) router.refresh();
    else navigate(typeof next === "string" ? next : next(made));
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
            isPending={isPending}
            disabled={isCounting || props.isIncomplete}
          >
            {props.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
