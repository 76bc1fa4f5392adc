import { type ComponentProps, type CSSProperties, Fragment, isValidElement, type ReactNode } from "react";

import { cn } from "./class-names";

/** Container in whose widths the rows are blocks: `globals.css`. */
type Room = "few-columns" | "several-columns" | "some-columns" | "many-columns" | "most-columns";

type TableProps = {
  label: string;
  /** Column headers: a text, or an element for a special one; empty values are skipped. */
  columns: readonly ReactNode[];
  /** The region has a fixed height, in which the header stays visible. */
  hasStickyHead?: boolean;
  /** As much room as tables of so many columns take; by their number if it is not given. */
  room?: Room;
  children: ReactNode;
};

const isPart = (part: ReactNode): boolean => part !== null && part !== undefined && typeof part !== "boolean";

/** The text of a header; empty for a header that only assistive technology sees. */
function textOf(node: ReactNode): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(textOf).join("");
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : "";
}

/** The headers as custom properties, with which phones label the values of a row. */
const columnNames = (columns: readonly ReactNode[]): CSSProperties =>
  Object.fromEntries(
    columns.flatMap((column, index) => {
      const text = textOf(column);
      return text === "" ? [] : [[`--column-${index + 1}`, JSON.stringify(text)]];
    }),
  );

/** Numbers of columns beyond which a table does not fit a small tablet, a tablet, and a small laptop. */
const SOME_COLUMNS = 4;
const MANY_COLUMNS = 6;
const MOST_COLUMNS = 8;

const roomOf = (columns: number): Room | undefined => {
  if (columns > MOST_COLUMNS) return "most-columns";
  if (columns > MANY_COLUMNS) return "many-columns";
  return columns > SOME_COLUMNS ? "some-columns" : undefined;
};

/**
 * A table in a keyboard-focusable region, named by `label`. On phones its rows are blocks whose values are labelled by
 * column; on tablets, small laptops and in narrow panels too, if it has more columns than fit there.
 */
export function Table({ label, columns, hasStickyHead = false, room, children }: TableProps) {
  const shown = columns.filter(isPart);
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className={cn(
        "relative min-w-0 overflow-x-auto",
        hasStickyHead && "sm:max-h-[80vh] sm:overflow-y-auto print:max-h-none",
        room ?? roomOf(shown.length),
      )}
    >
      <table
        className={cn("stacked w-full border-collapse text-left", hasStickyHead && "sticky-head")}
        style={columnNames(shown)}
      >
        <thead>
          <tr>
            {shown.map((column, index) =>
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
  return <th scope="col" className={cn("head-cell", className)} {...rest} />;
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
  return <td className={cn("cell", className)} {...rest} />;
}

/** A cell for text that users enter, such as a name or an e-mail address. It wraps when the table is too narrow. */
export function TextTd({ className, ...rest }: ComponentProps<"td">) {
  return <Td className={cn("min-w-44 wrap-anywhere whitespace-normal", className)} {...rest} />;
}

/** A cell that cuts its content off at the width given by its class; a pointer shows the whole `title`. */
export function CutTd({ className, ...rest }: ComponentProps<"td"> & { title: string }) {
  return <Td className={cn("truncate", className)} {...rest} />;
}

/** A cell that takes the remaining width and truncates its content. */
export function ElasticTd({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Td className="min-w-36" title={title}>
      <span className="block sm:w-0 sm:min-w-full sm:truncate">{children}</span>
    </Td>
  );
}
