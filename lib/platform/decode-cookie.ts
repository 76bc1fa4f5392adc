/** The percent-decoded value of a cookie; unchanged when the encoding is invalid. */
export function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
