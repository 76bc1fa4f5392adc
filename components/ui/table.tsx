import type { ComponentProps, ReactNode } from "react";

import { cn } from "./class-names";

/** A table in a scroll region that the keyboard can reach, named by `label`. */
export function Table({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <div role="region" aria-label={label} tabIndex={0} className="relative min-w-0 overflow-x-auto">
      <table className={cn("w-full border-collapse text-left", className)}>{children}</table>
    </div>
  );
}

export function Th({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      className={cn("h-8.5 px-2 font-normal whitespace-nowrap text-fg-muted first:pl-4 last:pr-4", className)}
      {...rest}
    />
  );
}

/** The head of a column of buttons, which need no visible name. */
export function ActionsTh() {
  return (
    <Th>
      <span className="sr-only">Actions</span>
    </Th>
  );
}

export function Td({ className, ...rest }: ComponentProps<"td">) {
  return <td className={cn("h-9 border-t px-2 base:whitespace-nowrap first:pl-4 last:pr-4", className)} {...rest} />;
}

/** A cell that adds nothing to the width of its column beyond what it needs at least, and cuts what does not fit. */
export function ElasticTd({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Td className="min-w-36" title={title}>
      <span className="block w-0 min-w-full truncate">{children}</span>
    </Td>
  );
}
