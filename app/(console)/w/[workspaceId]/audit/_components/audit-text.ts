import { shortId } from "@/components/ui/id";

/** Our own identifiers, shortened for display. */
const ID = /^[a-z]+_[0-9a-f]{32}$/;

const words = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(words).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" && ID.test(value)) return shortId(value);
  return typeof value === "string" || typeof value === "number" ? String(value) : "–";
};

/** `canSeeAddresses` in words. */
const spaced = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The changes, one fact per line: old and new value if both are known. */
export function detailLines(detail: Record<string, unknown>): string[] {
  const { from, to, ...others } = detail;
  const change = from === undefined || to === undefined ? [] : [`${words(from)} → ${words(to)}`];
  const single = from !== undefined && to === undefined ? [`from: ${words(from)}`] : [];
  const rest = Object.entries(others)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${spaced(name)}: ${words(value)}`);
  return [...change, ...single, ...rest];
}
