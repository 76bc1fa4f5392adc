import { basisText, intervalText, shareText } from "./measured-text";

type Value = Parameters<typeof shareText>[0];

/** A share with its interval; a dash if there are no labels to measure it. */
export function MeasuredShare({ value }: { value: Value | undefined }) {
  if (!value)
    return (
      <span className="text-fg-muted" title="No labelled visit to measure it by">
        –
      </span>
    );
  return (
    <span title={`95 % interval, from ${basisText(value)}`}>
      {shareText(value)} <span className="text-xs whitespace-nowrap text-fg-muted">{intervalText(value)}</span>
    </span>
  );
}
