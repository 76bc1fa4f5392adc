import { isStorable } from "@/lib/platform/storable";

/** The field of a form as text, empty where there is none: who calls an action past its page may send anything. */
export function formField(form: unknown, name: string): string {
  const value = form instanceof FormData ? form.get(name) : undefined;
  return typeof value === "string" && isStorable(value) ? value : "";
}
