import { cva, type VariantProps } from "class-variance-authority";
import { Link } from "@/components/ui/link";
import type { ComponentProps, MouseEvent } from "react";

import { cn } from "./class-names";

export const buttonStyle = cva(
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none aria-disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:size-3.5 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "border-transparent bg-accent text-accent-fg hover:not-aria-disabled:brightness-110",
        secondary: "border-border bg-surface text-fg hover:not-aria-disabled:bg-surface-2",
        ghost:
          "border-transparent base:bg-transparent text-fg-muted hover:not-aria-disabled:bg-surface-2 hover:not-aria-disabled:text-fg",
        danger: "border-dec bg-surface text-dec hover:not-aria-disabled:bg-dec-bg",
      },
      size: { sm: "h-7 px-2.5 text-xs", md: "h-8 px-3 text-sm", icon: "base:size-7", mini: "base:size-6" },
    },
    compoundVariants: [{ variant: "ghost", size: "sm", className: "frameless-text" }],
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

type Style = VariantProps<typeof buttonStyle>;

type ButtonProps = ComponentProps<"button"> &
  Style & {
    /** What it started is still running: it says so by an ellipsis, and cannot be pressed again. */
    isPending?: boolean;
  };

/** A press of a button that submits a form would send it again, as would Enter in a field. */
const ignore = (event: MouseEvent) => {
  event.preventDefault();
};

/** One that cannot be pressed keeps the focus: a button may end so by the very press that sends and clears its form. */
export function Button({ variant, size, className, type = "button", isPending, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      aria-busy={isPending}
      className={cn(buttonStyle({ variant, size }), className)}
      {...rest}
      {...(isPending || disabled ? { "aria-disabled": true, onClick: ignore } : {})}
    />
  );
}

export function ButtonLink({ variant, size, className, ...rest }: ComponentProps<typeof Link> & Style) {
  return <Link className={cn(buttonStyle({ variant, size }), className)} {...rest} />;
}
