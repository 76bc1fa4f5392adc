"use client";

import { useRouter } from "next/navigation";
import { type ReactElement, type ReactNode, useState } from "react";

import { Button } from "@/components/ui/button";
import { Dialog, DialogActions, DialogClose } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useToast } from "@/components/ui/toast";
import type { Action } from "./action-result";
import { Refusal } from "./refusal";
import { useAction } from "./use-action";

/** Asks before something that cannot be undone. With `typed` the person writes that word first. */
export function Confirm<Input>(props: {
  trigger: ReactElement;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  typed?: string;
  /** What it does can be taken back: the button does not warn. */
  isSafe?: boolean;
  action: Action<Input, unknown>;
  input: Input;
  done: string;
  /** Where to go when the thing itself is gone. */
  next?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
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
        setTyped("");
      }}
    >
      <form
        className="flex flex-col gap-3"
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
        <div className="text-fg-muted">{props.children}</div>
        {props.typed ? (
          <Field label={`Type “${props.typed}” to confirm`}>
            <TypedInput value={typed} onChange={setTyped} />
          </Field>
        ) : null}
        <Refusal result={result} />
        <DialogActions>
          <DialogClose>Cancel</DialogClose>
          <Button
            type="submit"
            variant={props.isSafe ? "primary" : "danger"}
            disabled={isPending || (props.typed !== undefined && typed !== props.typed)}
          >
            {props.confirmLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function TypedInput({ value, onChange, ...rest }: { value: string; onChange: (value: string) => void; id?: string }) {
  return (
    <Input
      {...rest}
      value={value}
      autoComplete="off"
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}
