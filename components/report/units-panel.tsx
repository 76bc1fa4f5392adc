import { countText } from "@/components/ui/counted";
import { Figure, FigureGrid } from "@/components/ui/figure";
import { Meter } from "@/components/ui/meter";
import { Panel } from "@/components/ui/panel";
import { dateText } from "@/components/ui/time-text";
import type { Projection, Usage, UsageCount } from "@/lib/metering";
import { answeredCalls, refusedCalls } from "./outcome-labels";

const percent = (share: number) => `${Math.floor(share * 100)} %`;

/** Share of the limit at which the page warns. */
const WARN_FROM = 0.8;

type Month = Usage["month"];
type Props = {
  /** Only for the unfiltered current month: units belong to the whole workspace. */
  month: Month | undefined;
  projection: Projection | undefined;
  total: UsageCount;
};

/** Warning from four fifths of the limit on. */
export function UnitsNotice({ used, limit }: Pick<Month, "used" | "limit">) {
  if (limit === null || used < limit * WARN_FROM) return null;
  const isOver = used >= limit;
  return (
    <p role="status" className={`mb-4 rounded-md px-3 py-2 ${isOver ? "bg-dec-bg text-dec" : "bg-susp-bg text-susp"}`}>
      {isOver
        ? "All report units of this month are used. New Reports are refused with quota_exhausted until the next month or a larger plan; visits are still recorded, and Reports that were read before stay free to read."
        : `${percent(used / limit)} of this month's report units are used.`}
    </p>
  );
}

function Prefetch({ month, projection }: { month: Month; projection: Projection | undefined }) {
  if (!projection)
    return (
      <Figure name="At the month's end" value="–">
        too early to tell
      </Figure>
    );
  const { atEnd, runsOutAt } = projection;
  const isOver = month.limit !== null && month.used >= month.limit;
  return (
    <Figure name="At the month's end" value={`≈ ${countText(atEnd)}`}>
      {isOver
        ? "the limit is reached"
        : runsOutAt
          ? `reaches the limit about ${dateText(runsOutAt)}`
          : "units, if it goes on as so far"}
    </Figure>
  );
}

/** Units against the quota, the month's projection, and the calls. */
export function UnitsPanel({ month, projection, total }: Props) {
  return (
    <Panel className="mb-4">
      <FigureGrid className={month ? "sm:grid-cols-2 nav:grid-cols-4" : "sm:grid-cols-3"}>
        {month ? (
          <Figure name="Report units this month" value={countText(month.used)}>
            {month.limit === null ? (
              "without a limit"
            ) : (
              <>
                of {countText(month.limit)}
                <Meter
                  label="Report units of this month used"
                  value={month.used}
                  limit={month.limit}
                  className="mt-1.5"
                />
              </>
            )}
          </Figure>
        ) : (
          <Figure name="Report units" value={countText(total.units)}>
            in the time shown
          </Figure>
        )}
        {month ? <Prefetch month={month} projection={projection} /> : null}
        <Figure name="Calls answered" value={countText(answeredCalls(total))}>
          only first deliveries use units
        </Figure>
        <Figure name="Refused and failed" value={countText(refusedCalls(total))}>
          not counted
        </Figure>
      </FigureGrid>
    </Panel>
  );
}
