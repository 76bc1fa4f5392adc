const UNIT_SECONDS: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };

/** Seconds of a span such as `90d`, `12h` or `30m`. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  const seconds = UNIT_SECONDS[unit ?? ""];
  return amount === undefined || seconds === undefined ? undefined : Number(amount) * seconds;
}
