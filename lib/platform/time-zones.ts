const HOUR_MS = 3_600_000;
const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::\d{2})?)?$/;

function readOffset(timeZone: string, at: Date): number | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    const text = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [matched, sign, hours = "0", minutes = "0"] = OFFSET.exec(text) ?? [];
    if (matched === undefined) return undefined;
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) || 0;
  } catch {
    return undefined;
  }
}

/** Visitors name the zones: there are some 600, in any mixture of capitals. */
const MAX_KNOWN = 4_000;
/** By hour and zone: making a format takes a hundred times as long as all else here. Nothing depends on what is kept. */
const known = new Map<string, number | undefined>();

/** Minutes east of Greenwich that a zone's clocks show, by this server's time zone data; undefined for a name that is no zone. */
export function offsetOfZone(timeZone: string, at: Date): number | undefined {
  const key = `${Math.floor(at.getTime() / HOUR_MS)} ${timeZone}`;
  if (known.has(key)) return known.get(key);
  const offset = readOffset(timeZone, at);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, offset);
  return offset;
}
