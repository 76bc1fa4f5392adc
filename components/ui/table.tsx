import { type ComponentProps, type CSSProperties, Fragment, isValidElement, type ReactNode } from "react";

import { cn } from "./class-names";

type TableProps = {
  label: string;
  /** Column headers: a text, or an element for a special one; empty values are skipped. */
  columns: readonly ReactNode[];
  /** The region has a fixed height, in which the header stays visible. */
  hasStickyHead?: boolean;
  /** Few columns that still do not fit a small laptop. */
  hasWideColumns?: boolean;
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

/** Numbers of columns beyond which a table does not fit a tablet, and a small laptop. */
const MANY_COLUMNS = 6;
const MOST_COLUMNS = 8;

const widthClass = (columns: number): string | false => {
  if (columns > MOST_COLUMNS) return "most-columns";
  return columns > MANY_COLUMNS && "many-columns";
};

/**
 * A table in a keyboard-focusable region, named by `label`. On phones its rows are blocks whose values are labelled by
 * column; on tablets and small laptops too, if it has many columns.
 */
export function Table({ label, columns, hasStickyHead = false, hasWideColumns = false, children }: TableProps) {
  const shown = columns.filter(isPart);
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className={cn(
        "relative min-w-0 overflow-x-auto",
        hasStickyHead && "sm:max-h-[80vh] sm:overflow-y-auto",
        hasWideColumns ? "most-columns" : widthClass(shown.length),
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

/** A cell that takes the remaining width and truncates its content. */
export function ElasticTd({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Td className="min-w-36" title={title}>
      <span className="block sm:w-0 sm:min-w-full sm:truncate">{children}</span>
    </Td>
  );
}
