/** Parses a 32-bit AS number with or without `AS` (RFC 5396). */
export function parseAsn(text: string): number | undefined {
  const digits = /^(?:AS)?(\d{1,10})$/i.exec(text.trim())?.[1];
  const asn = digits === undefined ? Number.NaN : Number(digits);
  return asn <= 0xff_ff_ff_ff ? asn : undefined;
}
