"use client";

import { Checkbox } from "./input";
import { useOptionFinder } from "./option-finder";

type Option = { value: string; label: string; note?: string };
type Props = {
  label: string;
  hint?: string;
  options: readonly Option[];
  chosen: readonly string[];
  onChoose: (values: string[]) => void;
};

/** Selects several options, of which a long list can be searched. */
export function CheckList({ label, hint, options, chosen, onChoose }: Props) {
  const { shown, finder } = useOptionFinder(options, chosen, label);
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {hint ? <p className="mb-1 text-xs text-fg-muted">{hint}</p> : null}
      {finder}
      <div className="flex max-h-56 flex-col gap-1 overflow-y-auto">
        {shown.map(({ value, label: text, note }) => (
          <label key={value} className="flex min-h-6 shrink-0 gap-2">
            <Checkbox
              checked={chosen.includes(value)}
              onCheck={(isChecked) => {
                onChoose(isChecked ? [...chosen, value] : chosen.filter((each) => each !== value));
              }}
            />
            <span className="min-w-0 wrap-anywhere">
              {text}
              {note ? <span className="block text-xs text-fg-muted">{note}</span> : null}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
