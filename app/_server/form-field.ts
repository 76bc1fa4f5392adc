import { isStorable } from "@/lib/platform/storable";

/** A form field as text, empty if missing: direct requests to an action may send anything. */
export function formField(form: unknown, name: string): string {
  const value = form instanceof FormData || form instanceof URLSearchParams ? form.get(name) : undefined;
  return typeof value === "string" && isStorable(value) ? value : "";
}
