const NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** `Germany` for `DE`; an unknown code is returned unchanged. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (NAMES.of(code) ?? code) : code;
}
