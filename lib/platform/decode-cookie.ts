/** The value of a cookie, percent-decoded; as it came where it is no valid encoding. */
export function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
