import { MARK_COLOUR } from "./chart-plot";

type Verdicts = { passed: number; suspicious: number; deceptive: number };

const SLOT = 4;
const BAR = 3;
const PARTS = [
  ["pass", "passed"],
  ["suspicious", "suspicious"],
  ["deceptive", "deceptive"],
] as const;

/** Small chart of a row's visits over time, next to its numbers. */
export function Sparkline({ series }: { series: readonly Verdicts[] }) {
  const max = Math.max(1, ...series.map(({ passed, suspicious, deceptive }) => passed + suspicious + deceptive));
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${Math.max(1, series.length) * SLOT} ${max}`}
      preserveAspectRatio="none"
      className="h-6 w-full min-w-28"
    >
      {series.map((step, index) => {
        let top = max;
        return PARTS.map(([mark, name]) => {
          const height = step[name];
          if (height === 0) return null;
          top -= height;
          return (
            <rect
              key={`${index} ${mark}`}
              x={index * SLOT}
              y={top}
              width={BAR}
              height={height}
              fill={MARK_COLOUR[mark]}
              className="mark"
            />
          );
        });
      })}
    </svg>
  );
}
