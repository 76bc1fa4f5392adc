import { countText } from "@/components/ui/counted";
import { Figure, FigureGrid } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import type { OwnFigures } from "@/lib/operations/metrics";

function durationText(ms: number | undefined): string {
  if (ms === undefined) return "–";
  if (!Number.isFinite(ms)) return "over 5 s";
  return ms < 1000 ? `${Number(ms.toPrecision(2))} ms` : `${ms / 1000} s`;
}

const share = (part: number, whole: number) =>
  whole === 0 ? "" : `${((part / whole) * 100).toFixed(2)} % of requests`;

function Unknown({ why }: { why: "off" | "unreadable" }) {
  return (
    <p className="px-4 py-3 text-fg-muted">
      {why === "off" ? (
        <>
          Metrics are off, so latency and errors are not known here. Set{" "}
          <code className="font-mono text-xs">METRICS_PORT</code> and start the service again.{" "}
        </>
      ) : (
        "The metrics endpoint of this service did not answer. "
      )}
      <Link className="link" href="/docs/operations#metrics">
        About metrics
      </Link>
    </p>
  );
}

/** Latency, errors and backlog from the service's own metrics. */
export function Performance({ figures }: { figures: OwnFigures }) {
  const title = "Latency, errors and backlog";
  if (typeof figures === "string")
    return (
      <Panel id="performance" title={title}>
        <Unknown why={figures} />
      </Panel>
    );
  const { requests, failures, medianMs, p99Ms, slowest, databaseP99Ms, eventLoopLagMs, backlog } = figures;
  const waiting = backlog.unwrittenLines + backlog.webhooks;
  return (
    <Panel id="performance" title={title} aside="since the service was started">
      <FigureGrid className="grid-cols-2 nav:grid-cols-4">
        <Figure name="Answers, 99 % within" value={durationText(p99Ms)}>
          half within {durationText(medianMs)}
        </Figure>
        <Figure name="Failed" value={countText(failures)}>
          {share(failures, requests) || "no requests yet"}
        </Figure>
        <Figure name="Database, 99 % within" value={durationText(databaseP99Ms)}>
          event loop {durationText(eventLoopLagMs)}
        </Figure>
        <Figure name="Waiting" value={countText(waiting)}>
          {countText(backlog.webhooks)} webhooks, {countText(backlog.unwrittenLines)} lines
        </Figure>
      </FigureGrid>
      {backlog.overdueJobs.length > 0 ? (
        <p className="border-t px-4 py-2 text-susp">Overdue jobs: {backlog.overdueJobs.join(", ")}</p>
      ) : null}
      {slowest.length > 0 ? (
        <p className="border-t px-4 py-2 text-fg-muted">
          Slowest:{" "}
          {slowest
            .map(
              ({ operation, requests: count, p99Ms: ms }) => `${operation} ${durationText(ms)} of ${countText(count)}`,
            )
            .join(", ")}
        </p>
      ) : null}
    </Panel>
  );
}
