/** What a spreadsheet would run as a formula. Source: OWASP, "CSV Injection". */
const FORMULA = /^[=+\-@\t\r]/;

const field = (value: string | number | boolean | null | undefined): string => {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** One line of a CSV file, as RFC 4180 has it. A text that a spreadsheet would run is led by an apostrophe. */
export const csvLine = (values: readonly (string | number | boolean | null | undefined)[]): string =>
  `${values.map(field).join(",")}\r\n`;
