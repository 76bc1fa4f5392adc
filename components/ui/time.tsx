import { instantText, relativeTime } from "./time-text";

type TimeProps = {
  at: Date | string;
  /** IANA name; UTC unless given. */
  zone?: string;
  className?: string;
};
const toDate = (at: Date | string) => (typeof at === "string" ? new Date(at) : at);

/** Relative time, with the absolute time in the title. `now` comes from the request: server and client agree. */
export function RelativeTime({ at, now, zone, className }: TimeProps & { now: Date | string }) {
  const instant = toDate(at);
  return (
    <time dateTime={instant.toISOString()} title={instantText(instant, zone)} className={className}>
      {relativeTime(instant, toDate(now), zone)}
    </time>
  );
}

/** The instant itself, with its zone. */
export function AbsoluteTime({ at, zone, className }: TimeProps) {
  const instant = toDate(at);
  return (
    <time dateTime={instant.toISOString()} className={className}>
      {instantText(instant, zone)}
    </time>
  );
}
