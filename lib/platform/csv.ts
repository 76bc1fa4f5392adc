/**
 * One line of a CSV file, every cell quoted. A cell that a spreadsheet would interpret as a formula is prefixed with an
 * apostrophe. Source: RFC 4180; OWASP, CSV Injection.
 */
export const csvLine = (cells: readonly (string | number | boolean | null | undefined)[]): string =>
  `${cells
    .map((cell) => {
      const text = cell === null || cell === undefined ? "" : String(cell);
      const isFormula = typeof cell === "string" && /^[\s]*[=+\-@\t\r\n]/.test(text);
      return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`;
    })
    .join(",")}\r\n`;
