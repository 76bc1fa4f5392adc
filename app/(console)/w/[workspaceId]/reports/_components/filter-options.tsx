"use client";

import { useState } from "react";

import { useOptionFinder } from "@/components/ui/option-finder";

/** The name and value with which an option is submitted, and its text. */
type FilterOption = { value: string; label: string; submitted: string };

type Props = { name: string; label: string; initial: readonly string[]; options: readonly FilterOption[] };

/** The values of a filter as checkboxes, of which a long list can be searched. */
export function FilterOptions({ name, label, initial, options }: Props) {
  const [chosen, setChosen] = useState(initial);
  const { shown, finder } = useOptionFinder(options, chosen, label);
  return (
    <>
      {finder}
      {options.length === 0 ? <p className="py-1 text-fg-muted">None in this time.</p> : null}
      {shown.map((option) => (
        <label key={option.value} className="flex min-h-7 items-center gap-2">
          <input
            type="checkbox"
            name={name}
            value={option.submitted}
            // Not controlled: what was checked before the script ran stays.
            defaultChecked={chosen.includes(option.value)}
            onChange={({ currentTarget: { checked } }) => {
              setChosen(checked ? [...chosen, option.value] : chosen.filter((value) => value !== option.value));
            }}
            className="size-3.5 shrink-0 accent-accent"
          />
          <span className="min-w-0 wrap-anywhere">{option.label}</span>
        </label>
      ))}
    </>
  );
}
