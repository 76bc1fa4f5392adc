import { countText } from "@/components/ui/counted";
import { Figure, FigureGrid } from "@/components/ui/figure";
import { Panel } from "@/components/ui/panel";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import type { ReportStatus } from "@/lib/contract/report";

type Summary = {
  visits: number;
  isTruncated: boolean;
  suspicious: number;
  deceptive: number;
  devices: number;
  accounts: number | undefined;
  addresses: number | undefined;
  firstSeenAt: Date | undefined;
  lastSeenAt: Date | undefined;
};

type Props = {
  summary: Summary;
  /** The kind of subject, whose own number is not shown. */
  of: "device" | "account" | "address" | "network";
  /** Exact number if known, even beyond what the summary counts. */
  visits?: number;
  /** Counts from other parts of the page, so that none contradict: exact, or a lower bound. */
  counted?: { total: Record<ReportStatus, number>; devices?: number; isAll: boolean };
  firstSeenAt?: Date;
  lastSeenAt?: Date;
  now: Date;
  zone: string;
};

function Seen({ name, at, now, zone }: { name: string; at: Date | undefined; now: Date; zone: string }) {
  if (at === undefined) return null;
  return (
    <Figure name={name} value={<RelativeTime at={at} now={now} zone={zone} />}>
      <AbsoluteTime at={at} zone={zone} />
    </Figure>
  );
}

/** Key figures of a subject: number of visits, their verdicts, since when, and what it shares. */
export function SubjectFigures({ summary, of, counted, now, zone, ...exact }: Props) {
  const amount = (count: number) => `${summary.isTruncated ? "≥ " : ""}${countText(count)}`;
  const visits = Object.values(counted?.total ?? {}).reduce((sum, count) => sum + count, 0);
  const known = (found: number, other = 0, isAll = counted?.isAll) =>
    isAll === true ? countText(Math.max(found, other)) : amount(Math.max(found, other));
  const { accounts, addresses } = summary;
  return (
    <Panel className="mb-4">
      <FigureGrid className="grid-cols-2 sm:grid-cols-3 nav:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
        <Figure
          name="Visits"
          value={exact.visits === undefined ? known(summary.visits, visits) : countText(exact.visits)}
        >
          {known(summary.deceptive, counted?.total.DECEPTIVE)} deceptive,{" "}
          {known(summary.suspicious, counted?.total.SUSPICIOUS)} suspicious
        </Figure>
        {of === "account" || accounts === undefined ? null : <Figure name="Accounts" value={amount(accounts)} />}
        {of === "device" ? null : <Figure name="Devices" value={known(summary.devices, counted?.devices, false)} />}
        {of === "address" || addresses === undefined ? null : <Figure name="Addresses" value={amount(addresses)} />}
        <Seen
          name={of === "network" ? "First seen, 30 days" : "First seen"}
          at={exact.firstSeenAt ?? (summary.isTruncated ? undefined : summary.firstSeenAt)}
          now={now}
          zone={zone}
        />
        <Seen name="Last seen" at={exact.lastSeenAt ?? summary.lastSeenAt} now={now} zone={zone} />
      </FigureGrid>
    </Panel>
  );
}
