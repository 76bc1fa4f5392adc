import { DownloadLink } from "@/components/ui/download-link";
import { Panel } from "@/components/ui/panel";
import { Table, Td } from "@/components/ui/table";
import { Amount } from "./amount";

type Day = { date: string; intents: number; paid: number; failed: number; refunded: number };
type Money = { key: string; paid: { atomic: string; text: string | undefined }; refunded: Money["paid"] };
type Props = { days: readonly Day[]; income: readonly Money[]; exportHref: string };

const COUNTS = [
  ["intents", "Begun"],
  ["paid", "Paid"],
  ["failed", "Payment failed"],
  ["refunded", "Refunded"],
] as const;

/** Recent purchases: counts and income. */
export function TotalsPanel({ days, income, exportHref }: Props) {
  const sum = (name: (typeof COUNTS)[number][0]) => days.reduce((total, day) => total + day[name], 0);
  const busy = days.filter((day) => COUNTS.some(([name]) => day[name] > 0)).reverse();
  return (
    <Panel
      id="totals"
      title={`Last ${days.length} days`}
      aside={
        <DownloadLink className="link" href={exportHref}>
          CSV of a year
        </DownloadLink>
      }
    >
      <dl className="grid grid-cols-2 sm:grid-cols-4">
        {COUNTS.map(([name, label]) => (
          <div key={name} className="p-4">
            <dt className="text-fg-muted">{label}</dt>
            <dd className="text-figure font-semibold">{sum(name)}</dd>
          </div>
        ))}
      </dl>
      {income.map(({ key, paid, refunded }) => (
        <p key={key} className="border-t px-4 py-2">
          Received <Amount {...paid} />
          {refunded.atomic === "0" ? null : (
            <>
              , of which refunded <Amount {...refunded} />
            </>
          )}
        </p>
      ))}
      <details className="border-t text-fg-muted">
        <summary className="px-4 py-2 text-xs">View by day</summary>
        {busy.length === 0 ? (
          <p className="px-4 pb-3">Nothing happened on these days.</p>
        ) : (
          <div className="text-fg">
            <Table
              label="Purchases by day"
              room="few-columns"
              columns={["Day (UTC)", ...COUNTS.map(([, label]) => label)]}
            >
              {busy.map((day) => (
                <tr key={day.date}>
                  <Td>{day.date}</Td>
                  {COUNTS.map(([name]) => (
                    <Td key={name}>{day[name]}</Td>
                  ))}
                </tr>
              ))}
            </Table>
          </div>
        )}
      </details>
    </Panel>
  );
}
