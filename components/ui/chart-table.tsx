import type { ComponentProps } from "react";

import { Table } from "./table";

/** The values of a chart as a table, its text alternative. */
export function ChartTable(table: ComponentProps<typeof Table>) {
  return (
    <figcaption>
      <details className="text-fg-muted">
        <summary className="mt-2 w-fit py-0.5 text-xs">View as table</summary>
        <div className="mt-2 max-h-80 overflow-y-auto rounded-lg print:max-h-none border bg-surface text-fg">
          <Table {...table} />
        </div>
      </details>
    </figcaption>
  );
}
