import { relativeTime, utcInstant } from "./time-text";

type TimeProps = { at: Date | string; className?: string };
const toDate = (at: Date | string) => (typeof at === "string" ? new Date(at) : at);

/** How long ago, with the instant in UTC in the title. `now` comes from the request, so that both renderings agree. */
export function RelativeTime({ at, now, className }: TimeProps & { now: Date | string }) {
  const instant = toDate(at);
  return (
    <time dateTime={instant.toISOString()} title={utcInstant(instant)} className={className}>
      {relativeTime(instant, toDate(now))}
    </time>
  );
}

/** The instant itself, in UTC and said so. */
export function AbsoluteTime({ at, className }: TimeProps) {
  const instant = toDate(at);
  return (
    <time dateTime={instant.toISOString()} className={className}>
      {utcInstant(instant)}
    </time>
  );
}
