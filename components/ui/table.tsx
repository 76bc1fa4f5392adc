import { type ComponentProps, Fragment, type ReactNode } from "react";

import { cn } from "./class-names";

type TableProps = {
  label: string;
  /** Column headers: a text, or an element for a special one; empty values are skipped. */
  columns: readonly ReactNode[];
  /** On phones rows are blocks, whose cells are named by their `data-label`. */
  isStacked?: boolean;
  /** The region has a height of its own, in which the header stays. */
  hasStickyHead?: boolean;
  children: ReactNode;
};

/** A table in a scroll region that the keyboard can reach, named by `label`. */
export function Table({ label, columns, isStacked = false, hasStickyHead = false, children }: TableProps) {
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className={cn("relative min-w-0 overflow-x-auto", hasStickyHead && "sm:max-h-[80vh] sm:overflow-y-auto")}
    >
      <table className={cn("w-full border-collapse text-left", isStacked && "stacked", hasStickyHead && "sticky-head")}>
        <thead>
          <tr>
            {columns.map((column, index) =>
              typeof column === "string" ? <Th key={index}>{column}</Th> : <Fragment key={index}>{column}</Fragment>,
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
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

/** Header of a column of buttons, visible to assistive technology only. */
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

/** A cell that takes the remaining width and truncates its content. */
export function ElasticTd({ title, label, children }: { title: string; label?: string; children: ReactNode }) {
  return (
    <Td className="min-w-36" title={title} data-label={label}>
      <span className="block truncate sm:w-0 sm:min-w-full">{children}</span>
    </Td>
  );
}
