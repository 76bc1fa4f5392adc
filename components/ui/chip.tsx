import type { ReactNode } from "react";

import { cn } from "./class-names";

/** State of an object (a key, a Web App): neutral, so that the risk colours keep one meaning. */
export function Chip({
  children,
  isActive = false,
  className,
}: {
  children: ReactNode;
  isActive?: boolean;
  className?: string;
}) {
  return (
    <span
      className={cn(
        "badge inline-flex h-6 items-center gap-1.5 rounded-md bg-surface-2 px-2 text-xs font-medium",
        className,
      )}
    >
      <span
        aria-hidden
        className={cn("mark size-1.5 rounded-full", isActive ? "bg-pass-mark" : "border border-border-strong")}
      />
      {children}
    </span>
  );
}
