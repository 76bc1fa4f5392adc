import type { ChangeEvent, ComponentProps } from "react";

import { cn } from "./class-names";

const style =
  "w-full min-w-0 rounded-md border border-border-strong bg-surface px-2.5 base:text-sm text-fg disabled:opacity-60 aria-invalid:border-dec";

/** Inputs without a handler stay renderable on the server. */
const onTextChange = (onText: ((text: string) => void) | undefined) =>
  onText && {
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      onText(event.currentTarget.value);
    },
  };

type OnText = { onText?: (text: string) => void };

export function Input({ className, onText, ...rest }: ComponentProps<"input"> & OnText) {
  return <input className={cn(style, "h-8", className)} {...onTextChange(onText)} {...rest} />;
}

export function Textarea({ className, onText, ...rest }: ComponentProps<"textarea"> & OnText) {
  return (
    <textarea
      className={cn(style, "field-sizing-content max-h-72 min-h-19 py-1.5 font-mono text-xs leading-5", className)}
      {...onTextChange(onText)}
      {...rest}
    />
  );
}

type SelectProps = ComponentProps<"select"> & {
  /** What was chosen is being saved: its label says so by an ellipsis. Nothing else can be chosen, but it keeps the focus. */
  isPending?: boolean;
};

/** The browser's own list box: works without scripts and on every device. */
export function NativeSelect({ className, isPending, ...rest }: SelectProps) {
  return (
    <select
      className={cn(style, "h-8 pr-7 aria-disabled:opacity-60", className)}
      aria-busy={isPending}
      {...rest}
      {...(isPending ? { "aria-disabled": true, onChange: ignore } : {})}
    />
  );
}

/** A controlled list box returns to its value. */
const ignore = () => undefined;

type CheckboxProps = Omit<ComponentProps<"input">, "type"> & { onCheck?: (isChecked: boolean) => void };

export function Checkbox({ className, onCheck, ...rest }: CheckboxProps) {
  const handler = onCheck && {
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      onCheck(event.currentTarget.checked);
    },
  };
  return (
    <input type="checkbox" className={cn("mt-0.5 size-4 shrink-0 accent-accent", className)} {...handler} {...rest} />
  );
}
