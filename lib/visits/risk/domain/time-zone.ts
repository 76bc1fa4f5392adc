/** Minutes west of Greenwich of a named zone at an instant, by this server's time zone data; undefined for an unknown zone. */
export function offsetMinutes(timeZone: string, at: Date): number | undefined {
  try {
    const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(at);
    const written = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes] = /^GMT(?:([+-])(\d{2}):(\d{2})(?::\d{2})?)?$/.exec(written) ?? [];
    if (!written.startsWith("GMT")) return undefined;
    const east = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
    if (east === 0) return 0;
    return sign === "-" ? east : -east;
  } catch {
    return undefined;
  }
}
