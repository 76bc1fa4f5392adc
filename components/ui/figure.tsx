import type { ReactNode } from "react";

type Props = { name: string; value: ReactNode; /** Explanation below the figure. */ children?: ReactNode };

/** A headline figure in a grid of them. */
export function Figure({ name, value, children }: Props) {
  return (
    <div className="min-w-0 border-b p-4 last:border-b-0 sm:border-b-0 sm:border-l sm:first:border-l-0">
      <p className="text-fg-muted">{name}</p>
      <p className="text-figure font-semibold">{value}</p>
      <div className="text-fg-muted">{children}</div>
    </div>
  );
}
