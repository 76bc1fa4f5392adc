"use client";

import { Columns3 } from "lucide-react";
import { useRouter } from "next/navigation";

import { choiceStyle } from "@/components/ui/choice";
import { Dropdown } from "@/components/ui/dropdown";
import { COLUMN_NAMES, LIST_COOKIE, type ListColumn, type ListPreferences, preferencesText } from "./list-preferences";

const YEAR_SECONDS = 365 * 86_400;

const remember = (preferences: ListPreferences) => {
  document.cookie = `${LIST_COOKIE}=${preferencesText(preferences)}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
};

type Props = { chosen: ListPreferences; offered: readonly ListColumn[] };

/** Chooses the columns and the time format of a list of visits; stored for this person in a cookie. */
export function ListOptions({ chosen, offered }: Props) {
  const router = useRouter();
  const keep = (preferences: ListPreferences) => {
    remember(preferences);
    router.refresh();
  };
  const toggle = (column: ListColumn) => {
    const columns = chosen.columns.includes(column)
      ? chosen.columns.filter((each) => each !== column)
      : [...chosen.columns, column];
    keep({ ...chosen, columns });
  };
  const box = (label: string, isChecked: boolean, onChange: () => void) => (
    <label key={label} className="flex min-h-7 items-center gap-2 whitespace-nowrap">
      <input type="checkbox" checked={isChecked} onChange={onChange} className="size-3.5 accent-accent" />
      {label}
    </label>
  );
  return (
    <Dropdown className="relative">
      <summary className={choiceStyle(false)}>
        <Columns3 aria-hidden className="mr-1.5 size-3.5" /> Columns
      </summary>
      <div className="absolute right-0 z-10 mt-1 rounded-lg border bg-surface px-3 py-2 shadow-lg max-sm:right-auto max-sm:left-0">
        <fieldset>
          <legend className="text-xs text-fg-muted">Columns</legend>
          {offered.map((column) =>
            box(COLUMN_NAMES[column], chosen.columns.includes(column), () => {
              toggle(column);
            }),
          )}
        </fieldset>
        <fieldset className="mt-1 border-t pt-1">
          <legend className="sr-only">Times</legend>
          {box("Times of day", chosen.isAbsolute, () => {
            keep({ ...chosen, isAbsolute: !chosen.isAbsolute });
          })}
        </fieldset>
      </div>
    </Dropdown>
  );
}
