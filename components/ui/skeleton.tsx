import type { ReactNode } from "react";

import { cn } from "./class-names";

/** Delays placeholders until loading takes longer than it does on most pages. */
export const Late = ({ children }: { children: ReactNode }) => <div className="late">{children}</div>;

/** Placeholder of loading content, at its final size. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("rounded-md bg-surface-2", className)} />;
}

/** Placeholder rows of a loading table, at their final height. */
export function SkeletonRows({ rows = 8, label = "Loading" }: { rows?: number; label?: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex h-9 items-center gap-6 border-t px-4 first:border-t-0">
          <Skeleton className="h-3 w-24" />
          <Skeleton className="h-3 w-16" />
          <Skeleton className="h-3 min-w-0 flex-1" />
        </div>
      ))}
    </div>
  );
}
