import { ChevronDown } from "lucide-react";

import { cn } from "@/components/ui/class-names";
import { Dropdown } from "@/components/ui/dropdown";
import { type ChoiceFilterName, choiceText, parseChoice } from "@/lib/contract/report-filters";
import { FilterOptions } from "./filter-options";

export type Option = { value: string; text: string };

/** The selection in a word or two. */
function chosenText(chosen: ReturnType<typeof parseChoice>, options: readonly Option[]): string {
  if (!chosen) return "Any";
  const [first = ""] = chosen.values;
  const text =
    chosen.values.length > 1
      ? `${chosen.values.length} values`
      : (options.find(({ value }) => value === first)?.text.replace(/ \([\d,]+\)$/, "") ?? first);
  return chosen.isExcluded ? `not ${text}` : text;
}

type Props = { name: ChoiceFilterName; label: string; chosen: string | undefined; options: readonly Option[] };

/** Several values of a filter, or all but these, as checkboxes. Selected values are listed even with zero visits. */
export function FilterChoice({ name, label, chosen: text, options }: Props) {
  const chosen = text === undefined ? undefined : parseChoice(text);
  const missing = chosen?.values.filter((value) => !options.some((option) => option.value === value)) ?? [];
  const all = [...missing.map((value) => ({ value, text: value })), ...options];
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <span className="font-medium">{label}</span>
      <Dropdown className="relative">
        <summary
          className={cn(
            "flex h-8 list-none items-center justify-between gap-2 rounded-md border bg-surface px-2.5",
            chosen === undefined && "text-fg-muted",
          )}
        >
          <span className="truncate">
            <span className="sr-only">{label}: </span>
            {chosenText(chosen, options)}
          </span>
          <ChevronDown aria-hidden className="size-3.5 shrink-0" />
        </summary>
        <fieldset className="absolute inset-x-0 z-20 mt-1 max-h-72 overflow-y-auto rounded-lg border bg-surface px-3 py-2 shadow-lg">
          <legend className="sr-only">{label}</legend>
          <label className="mb-1 flex min-h-7 items-center gap-2 border-b pb-1 text-fg-muted">
            <input
              type="checkbox"
              name={`${name}-not`}
              defaultChecked={chosen?.isExcluded ?? false}
              className="size-3.5 shrink-0 accent-accent"
            />
            All but these
          </label>
          <FilterOptions
            name={name}
            label={label}
            initial={chosen?.values ?? []}
            options={all.map((option) => ({
              value: option.value,
              label: option.text,
              submitted: choiceText({ isExcluded: false, values: [option.value] }),
            }))}
          />
        </fieldset>
      </Dropdown>
    </div>
  );
}
