import { CellLink } from "@/components/ui/cell-link";
import { NumberTh } from "@/components/ui/cells";
import type { ReactNode } from "react";

import { countText } from "@/components/ui/counted";
import { Panel } from "@/components/ui/panel";
import { Table, Td, TextTd } from "@/components/ui/table";
import type { UsageCount, UsageOutcome } from "@/lib/metering";
import { answeredCalls, OUTCOME_WORDS, refusedCalls } from "@/components/report/outcome-labels";

export type UsageRow = {
  key: string;
  name: ReactNode;
  /** Public part of a key. */
  preview?: string | undefined;
  href?: string | undefined;
  count: UsageCount;
};
type Props = { id: string; title: string; column: string; rows: readonly UsageRow[]; aside?: ReactNode };

/** Units and calls by one dimension; a row links to the page filtered by its value. */
export function UsageTable({ id, title, column, rows, aside }: Props) {
  return (
    <Panel id={id} title={title} aside={aside}>
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">Nothing was called in this time.</p>
      ) : (
        <Table
          label={title}
          columns={[
            column,
            <NumberTh>Units</NumberTh>,
            <NumberTh>Answered</NumberTh>,
            <NumberTh>Not counted</NumberTh>,
          ]}
        >
          {rows.map(({ key, name, preview, href, count }) => (
            <tr key={key}>
              <TextTd className="py-1">
                {href === undefined ? name : <CellLink href={href}>{name}</CellLink>}
                {preview === undefined ? null : (
                  <span className="block font-mono text-xs whitespace-nowrap text-fg-muted">{preview}</span>
                )}
              </TextTd>
              <Td className="text-right">{countText(count.units)}</Td>
              <Td className="text-right">{countText(answeredCalls(count))}</Td>
              <Td className="text-right">{countText(refusedCalls(count))}</Td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

/** Refused calls by reason, the most frequent first: none uses a unit. */
export function RefusalTable({ total }: { total: UsageCount }) {
  const rows = Object.entries(total.outcomes)
    .flatMap(([outcome, calls]) => {
      const words = OUTCOME_WORDS[outcome as UsageOutcome]; // safe: the keys of a count are outcomes
      return words.isRefusal && calls > 0 ? [{ outcome, calls, ...words }] : [];
    })
    .sort((one, other) => other.calls - one.calls);
  return (
    <Panel id="refused" title="Refused and failed" aside="not counted: no unit was used">
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">Nothing was refused.</p>
      ) : (
        <ul>
          {rows.map(({ outcome, calls, name, text }) => (
            <li key={outcome} className="flex flex-wrap items-baseline gap-x-4 border-b px-4 py-1.5 last:border-b-0">
              <span className="w-36 shrink-0 font-medium">{name}</span>
              <span className="min-w-0 flex-1 basis-52 text-fg-muted">{text}</span>
              <span className="tabular-nums">{countText(calls)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
