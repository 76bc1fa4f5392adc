import { memo } from "react";

import type { ChartLine, ChartMark, ChartSeries } from "./chart-data";

/** Width of one step and of its bar in SVG units; the drawing is stretched to the page. */
const SLOT = 10;
const BAR = 8;

export const MARK_COLOUR: Record<ChartMark, string> = {
  pass: "var(--pass-mark)",
  suspicious: "var(--susp-mark)",
  deceptive: "var(--dec-mark)",
  plain: "var(--border-strong)",
};

function Line({ line: { values, isDashed }, max }: { line: ChartLine; max: number }) {
  const points = values.flatMap((value, index) =>
    value === null ? [] : [`${index * SLOT + SLOT / 2},${Math.max(0, max - value)}`],
  );
  return (
    <polyline
      points={points.join(" ")}
      fill="none"
      stroke="var(--fg-muted)"
      strokeWidth={1.5}
      strokeDasharray={isDashed ? "4 3" : undefined}
      vectorEffect="non-scaling-stroke"
    />
  );
}

type Props = { steps: number; series: readonly ChartSeries[]; lines: readonly ChartLine[]; max: number };

/** Bars of the series, stacked, with lines over them. Rendered once, regardless of the pointer. */
export const ChartPlot = memo(function ChartPlot({ steps, series, lines, max }: Props) {
  const bars = Array.from({ length: steps }, (_, index) => {
    let top = max;
    return series.map(({ name, mark, values }) => {
      const height = values[index] ?? 0;
      if (height === 0) return null;
      top -= height;
      const x = index * SLOT + (SLOT - BAR) / 2;
      return (
        <rect
          key={`${name} ${index}`}
          x={x}
          y={top}
          width={BAR}
          height={height}
          fill={MARK_COLOUR[mark]}
          className="mark"
        />
      );
    });
  });
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${Math.max(1, steps) * SLOT} ${max}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
    >
      {bars}
      {lines.map((line) => (
        <Line key={line.name} line={line} max={max} />
      ))}
    </svg>
  );
});
