import { dateText } from "@/components/ui/time-text";

/** Says that a range is incomplete: older visits are still being counted, or no longer kept. */
export function CountedNotice({ wholeFrom, zone }: { wholeFrom: Date | undefined; zone: string }) {
  if (wholeFrom === undefined) return null;
  return (
    <p role="status" className="mb-4 rounded-md bg-surface-2 px-3 py-2 text-fg-muted">
      Complete from {dateText(wholeFrom, zone)} on: earlier visits are still being counted, or are not kept for so long.
    </p>
  );
}
