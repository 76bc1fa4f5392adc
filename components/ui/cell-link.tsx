import type { ComponentProps } from "react";

import { cn } from "./class-names";
import { Link } from "./link";

type Props = ComponentProps<typeof Link> & {
  /** Marks the main link of a table row. */
  isRowLink?: boolean;
};

/** A link whose underline is faint until it is pointed at. */
export function CellLink({ isRowLink, className, ...rest }: Props) {
  return (
    <Link
      {...(isRowLink && { "data-row-link": true })}
      className={cn("underline decoration-border-strong underline-offset-3 hover:decoration-current", className)}
      {...rest}
    />
  );
}
