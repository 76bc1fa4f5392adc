/** A 32-bit number, as operators of networks write it, with or without `AS`. Source: RFC 5396. */
export function parseAsn(text: string): number | undefined {
  const digits = /^(?:AS)?(\d{1,10})$/i.exec(text.trim())?.[1];
  const asn = digits === undefined ? Number.NaN : Number(digits);
  return asn <= 0xff_ff_ff_ff ? asn : undefined;
}
