import type { ReactNode } from "react";

import { cn } from "./class-names";

/** Figures in a row, as many as `className` sets, with lines between but not around them. */
export const FigureGrid = ({ className, children }: { className: string; children: ReactNode }) => (
  <div className={cn("grid overflow-hidden", className)}>{children}</div>
);

type Props = { name: string; value: ReactNode; /** Explanation below the figure. */ children?: ReactNode };

/** A headline figure in a `FigureGrid`. */
export function Figure({ name, value, children }: Props) {
  return (
    // The lines above the first row and before the first column are outside the grid, which clips them.
    <div className="-mt-px -ml-px min-w-0 border-t border-l p-4">
      <p className="text-fg-muted">{name}</p>
      <p className="text-figure font-semibold">{value}</p>
      <div className="text-fg-muted">{children}</div>
    </div>
  );
}
