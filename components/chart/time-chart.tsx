"use client";

import { countText } from "@/components/ui/counted";
import { useNavigate } from "@/components/ui/navigation-progress";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";

import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { chartLines } from "@/components/report/chart-scale";
import {
  type ChartLimit,
  type ChartLine,
  type ChartSeries,
  type ChartStep,
  labelledSteps,
  rangeHref,
  selected,
  stepText,
} from "./chart-data";
import { ChartPlot, MARK_COLOUR } from "./chart-plot";

/** Share of the axis beyond which a label has no room to its right. */
const NEAR_EDGE = 0.88;

export type TimeChartProps = {
  /** Text alternative of the chart. */
  label: string;
  /** Period of the legend's totals: `last 7 days`. */
  span: string;
  steps: readonly ChartStep[];
  series: readonly ChartSeries[];
  lines?: readonly ChartLine[];
  limit?: ChartLimit | undefined;
  /** URL of the list with placeholders for a range; without it, nothing can be selected. */
  template?: string | undefined;
  /** The legend shows the newest values instead of sums. */
  isRunningTotal?: boolean;
};

/** The active step, and the step at which a selection began. */
type Pointed = { at: number; anchor: number | undefined };

function Scale({ lines, max }: { lines: readonly number[]; max: number }) {
  return (
    <div aria-hidden className="absolute inset-0 text-[0.6875rem] leading-none text-fg-muted">
      {lines.map((line) => (
        <div key={line} className="absolute inset-x-0 ml-10 border-t" style={{ bottom: `${(line / max) * 100}%` }}>
          <span className="absolute -left-10 w-8 -translate-y-1/2 text-right">{countText(line)}</span>
        </div>
      ))}
    </div>
  );
}

function Limit({ limit, max }: { limit: ChartLimit; max: number }) {
  return (
    <div
      aria-hidden
      className="absolute inset-x-0 border-t-2 border-dec-mark text-[0.6875rem] leading-none text-dec"
      style={{ bottom: `${(limit.value / max) * 100}%` }}
    >
      <span className="absolute top-1 right-0 rounded-sm bg-surface px-1">
        {limit.name} {countText(limit.value)}
      </span>
    </div>
  );
}

function Axis({ steps }: { steps: readonly ChartStep[] }) {
  const share = (count: number) => `${(count / steps.length) * 100}%`;
  return (
    <div aria-hidden className="relative ml-10 h-6 overflow-hidden text-[0.6875rem] leading-6 text-fg-muted">
      {labelledSteps(steps).map(({ label, index }, place) => (
        <span
          key={index}
          className={cn("absolute whitespace-nowrap", place % 2 === 1 && "max-sm:hidden")}
          // At the right edge, a label ends with its bar: starting there, it would be cut off.
          style={index / steps.length > NEAR_EDGE ? { right: share(steps.length - 1 - index) } : { left: share(index) }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}

const sumOf = (values: readonly number[], [from, to]: readonly [number, number]) =>
  values.slice(from, to + 1).reduce((sum, value) => sum + value, 0);

function Legend({ series, lines = [], ...props }: TimeChartProps & { range: readonly [number, number] | undefined }) {
  const { steps, span, range, template, isRunningTotal = false } = props;
  const shown = range ?? ([0, steps.length - 1] as const);
  const [first, last] = [steps[shown[0]], steps[shown[1]]];
  const title =
    range && first && last ? (range[0] === range[1] ? first.title : `${first.title} to ${last.title}`) : span;
  const valueOf = (values: readonly number[]) =>
    isRunningTotal ? (values[range ? shown[1] : values.length - 1] ?? 0) : sumOf(values, shown);
  return (
    <div className="flex min-h-12 flex-wrap content-start items-baseline gap-x-4 gap-y-0.5 sm:min-h-6">
      <span className="font-medium">{title}</span>
      {series.map(({ name, mark, values, href }) => {
        const text = (
          <>
            <span
              aria-hidden
              className="mark mr-1.5 inline-block size-2.5 rounded-sm"
              style={{ backgroundColor: MARK_COLOUR[mark] }}
            />
            {name} <span className="font-medium">{countText(valueOf(values))}</span>
          </>
        );
        return href === undefined ? (
          <span key={name}>{text}</span>
        ) : (
          <Link key={name} href={href} className="hover:underline">
            {text}
          </Link>
        );
      })}
      {lines.map(({ name, values, isDashed }) => (
        <span key={name} className="text-fg-muted">
          <span
            aria-hidden
            className={cn("mr-1.5 inline-block w-4 border-t-2 align-middle", isDashed && "border-dashed")}
          />
          {name}{" "}
          {isRunningTotal
            ? null
            : countText(
                Math.round(
                  sumOf(
                    values.map((value) => value ?? 0),
                    shown,
                  ),
                ),
              )}
        </span>
      ))}
      {range && template && first && last ? (
        <Link className="link" href={rangeHref(template, first.from, last.to)}>
          Show these
        </Link>
      ) : null}
    </div>
  );
}

const KEYS: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at) => at - 7,
  PageUp: (at) => at + 7,
  Home: () => 0,
  End: (_, last) => last,
};

/** Pointer, touch and keyboard handling: point at a step, select several, and open their list. */
function usePointing(steps: readonly ChartStep[], template: string | undefined) {
  const navigate = useNavigate();
  const [pointed, setPointed] = useState<Pointed>();
  const isPressed = useRef(false);
  const last = steps.length - 1;
  const within = (at: number) => Math.min(last, Math.max(0, at));
  const stepAt = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return within(Math.floor(((clientX - left) / width) * steps.length));
  };
  const open = ({ at, anchor = at }: Pointed) => {
    const [first, final] = selected(anchor, at);
    const [from, to] = [steps[first]?.from, steps[final]?.to];
    if (template !== undefined && from !== undefined && to !== undefined) navigate(rangeHref(template, from, to));
  };
  return {
    pointed,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        isPressed.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = stepAt(event);
        setPointed({ at, anchor: at });
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const at = stepAt(event);
        setPointed((before) => {
          const anchor = isPressed.current ? before?.anchor : undefined;
          return before?.at === at && before.anchor === anchor ? before : { at, anchor };
        });
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (!isPressed.current) return;
        isPressed.current = false;
        const ended = { at: stepAt(event), anchor: pointed?.anchor };
        // After a touch selection, people read first: the link next to the values opens the list.
        if (event.pointerType === "mouse") open(ended);
        else setPointed(ended);
      },
      onPointerCancel: () => {
        isPressed.current = false;
      },
      onPointerLeave: (event: PointerEvent<HTMLElement>) => {
        if (event.pointerType === "mouse" && !isPressed.current) setPointed(undefined);
      },
      onBlur: () => {
        setPointed(undefined);
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        const move = KEYS[event.key];
        if (event.key === "Escape") setPointed(undefined);
        else if (event.key === "Enter" && pointed) open(pointed);
        else if (!move) return;
        else {
          // If no step is active, the slider's value is the last one.
          const before = pointed ?? { at: last, anchor: undefined };
          const anchor = event.shiftKey ? (before.anchor ?? before.at) : undefined;
          setPointed({ at: within(move(before.at, last)), anchor });
        }
        event.preventDefault();
      },
    },
  };
}

/**
 * Values over time as stacked bars. The legend shows the values of the step under the pointer, finger or keyboard;
 * dragging, or Shift with the arrow keys, selects a range, which a click or Enter opens in the list.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, steps, series, lines = [], limit, template } = props;
  const { pointed, handlers } = usePointing(steps, template);
  const tops = steps.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const scale = chartLines(
    Math.max(0, ...tops, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)), limit?.value ?? 0),
  );
  const max = scale.at(-1) ?? 1;
  const range = pointed && selected(pointed.anchor ?? pointed.at, pointed.at);
  const at = pointed?.at ?? steps.length - 1;
  return (
    <>
      <Legend {...props} range={range} />
      <div className="relative mt-3 h-32">
        <Scale lines={scale} max={max} />
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, steps.length - 1)}
          aria-valuenow={Math.max(0, at)}
          aria-valuetext={stepText(at, { steps, series, lines })}
          aria-orientation="horizontal"
          className={cn("absolute inset-y-0 right-0 left-10 touch-pan-y select-none", template && "cursor-pointer")}
          {...handlers}
        >
          <ChartPlot steps={steps.length} series={series} lines={lines} max={max} />
          {limit ? <Limit limit={limit} max={max} /> : null}
          {range ? (
            <div
              aria-hidden
              className="mark pointer-events-none absolute inset-y-0 rounded-sm bg-accent opacity-20"
              style={{
                left: `${(range[0] / steps.length) * 100}%`,
                width: `${((range[1] - range[0] + 1) / steps.length) * 100}%`,
              }}
            />
          ) : null}
        </div>
      </div>
      <Axis steps={steps} />
    </>
  );
}
