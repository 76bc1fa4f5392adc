import type { ComponentProps } from "react";

import { cn } from "./class-names";

const style =
  "w-full min-w-0 rounded-md border border-border-strong bg-surface px-2.5 base:text-sm text-fg disabled:opacity-60 aria-invalid:border-dec";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={cn(style, "h-8", className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      className={cn(style, "field-sizing-content max-h-72 min-h-19 py-1.5 font-mono text-xs leading-5", className)}
      {...rest}
    />
  );
}

/** The browser's own list box: works without scripts and on every device. */
export function NativeSelect({ className, ...rest }: ComponentProps<"select">) {
  return <select className={cn(style, "h-8 pr-7", className)} {...rest} />;
}

export function Checkbox({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  return <input type="checkbox" className={cn("mt-0.5 size-4 shrink-0 accent-accent", className)} {...rest} />;
}
