const UNIT_SECONDS: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };

/** Parses a duration such as `90d`, `12h` or `30m` into seconds; undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  const seconds = UNIT_SECONDS[unit ?? ""];
  return amount === undefined || seconds === undefined ? undefined : Number(amount) * seconds;
}
