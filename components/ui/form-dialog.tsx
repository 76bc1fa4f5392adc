"use client";

import { useRouter } from "next/navigation";
import { type ReactElement, type ReactNode, useState } from "react";

import { Button } from "./button";
import { Dialog, DialogActions, DialogClose } from "./dialog";
import { useToast } from "./toast";
import type { Action } from "./action-result";
import { Refusal } from "./refusal";
import { useAction } from "./use-action";

/** A form in a dialog that runs one action, reports the result and refreshes the page. */
export function FormDialog<Input>(props: {
  title: string;
  trigger: ReactElement;
  submit: string;
  isDanger?: boolean;
  /** Required input is missing: the form cannot be submitted. */
  isIncomplete?: boolean;
  action: Action<Input, unknown>;
  input: Input;
  done: string;
  /** Address to go to when the current page no longer exists. */
  next?: string | undefined;
  onClosed: () => void;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const { run, result, isPending, reset } = useAction(props.action);
  const router = useRouter();
  const toast = useToast();
  return (
    <Dialog
      title={props.title}
      trigger={props.trigger}
      open={isOpen}
      onOpenChange={setOpen}
      onClosed={() => {
        reset();
        props.onClosed();
      }}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          run(props.input, () => {
            setOpen(false);
            toast.show(props.done);
            if (props.next === undefined) router.refresh();
            else router.push(props.next);
          });
        }}
      >
        {props.children}
        <Refusal result={result} />
        <DialogActions>
          <DialogClose>Cancel</DialogClose>
          <Button
            type="submit"
            variant={props.isDanger ? "danger" : "primary"}
            disabled={isPending || props.isIncomplete}
          >
            {props.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
