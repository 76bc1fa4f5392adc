import type { ReactNode } from "react";

import { MARK_COLOUR } from "@/components/chart/chart-plot";
import { countText } from "@/components/ui/counted";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";

type Verdicts = { passed: number; suspicious: number; deceptive: number };
type TopRow = {
  key: string;
  text: ReactNode;
  href?: string | undefined;
  visits: number;
  verdicts?: Verdicts | undefined;
  /** Visits in the previous period; undefined if unknown. */
  previous?: number | undefined;
};

/** `+12 %`, `new`, or undefined if there is nothing to compare with. */
export function changeText(now: number, before: number | undefined): string {
  if (before === undefined || (now === 0 && before === 0)) return "";
  if (before === 0) return "new";
  const change = Math.round(((now - before) / before) * 100);
  return change === 0 ? "±0 %" : `${change > 0 ? "+" : "−"}${countText(Math.abs(change))} %`;
}

function Bar({ verdicts, visits, most }: { verdicts: Verdicts | undefined; visits: number; most: number }) {
  const share = (count: number) => `${(count / Math.max(1, most)) * 100}%`;
  const parts = verdicts
    ? ([
        ["pass", verdicts.passed],
        ["suspicious", verdicts.suspicious],
        ["deceptive", verdicts.deceptive],
      ] as const)
    : ([["plain", visits]] as const);
  return (
    <span aria-hidden className="flex h-1.5 w-full overflow-hidden rounded-sm">
      {parts.map(([mark, count]) => (
        <span key={mark} className="mark h-full" style={{ width: share(count), backgroundColor: MARK_COLOUR[mark] }} />
      ))}
    </span>
  );
}

type Props = {
  id: string;
  title: string;
  /** The listed dimension, e.g. "Reason", and what is counted. */
  heading: string;
  counted?: string;
  rows: readonly TopRow[];
  /** Number of values that are not shown. */
  others?: number;
  aside?: ReactNode;
  empty: string;
  children?: ReactNode;
};

/** The most frequent values of a dimension, each with its visits by verdict, its change, and a link to them. */
export function TopList({ id, title, heading, counted = "Visits", rows, others = 0, aside, empty, children }: Props) {
  const most = Math.max(1, ...rows.map(({ visits }) => visits));
  const isCompared = rows.some(({ previous }) => previous !== undefined);
  return (
    <Panel id={id} title={title} aside={aside}>
      {children}
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">{empty}</p>
      ) : (
        <table className="w-full border-collapse text-left">
          <thead className="sr-only">
            <tr>
              <th scope="col">{heading}</th>
              <th scope="col">{counted}</th>
              {isCompared ? <th scope="col">Change</th> : null}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, text, href, visits, verdicts, previous }) => (
              <tr key={key} className="border-b last:border-b-0 hover:bg-surface-2">
                <td className="w-full max-w-0 py-1.5 pr-2 pl-4">
                  <span className="block wrap-anywhere">
                    {href === undefined ? (
                      text
                    ) : (
                      <Link href={href} className="hover:underline">
                        {text}
                      </Link>
                    )}
                  </span>
                  <Bar verdicts={verdicts} visits={visits} most={most} />
                </td>
                <td className="px-2 py-1.5 text-right align-top font-medium last:pr-4">{countText(visits)}</td>
                {isCompared ? (
                  <td className="py-1.5 pr-4 pl-2 text-right align-top whitespace-nowrap text-fg-muted">
                    {changeText(visits, previous)}
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {others > 0 ? <p className="border-t px-4 py-1.5 text-xs text-fg-muted">and {countText(others)} more</p> : null}
    </Panel>
  );
}
