import { cn } from "./class-names";

type Props = { label: string; value: number; limit: number; className?: string };

/** Shares of the limit at which a meter shows a warning and exhaustion. */
const NEAR = 0.8;

/** Bar that shows the used share of a limit. */
export function Meter({ label, value, limit, className }: Props) {
  const share = limit === 0 ? 1 : Math.min(1, value / limit);
  const tone = share >= 1 ? "bg-dec-mark" : share >= NEAR ? "bg-susp-mark" : "bg-pass-mark";
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(value, limit)}
      className={cn("h-1.5 min-w-16 overflow-hidden rounded-full bg-surface-2", className)}
    >
      <div className={cn("mark h-full rounded-full", tone)} style={{ width: `${share * 100}%` }} />
    </div>
  );
}
