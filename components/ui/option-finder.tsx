"use client";

import { type ReactNode, useState } from "react";

import { findInList, MAX_SHOWN } from "./find-in-list";
import { Input } from "./input";

/** Number of options beyond which a list gets a search field. */
const MANY = 12;

type Option = { value: string; label: string; note?: string };

/**
 * The options of a list that are shown: those with the typed text, at most `MAX_SHOWN`, and always the chosen ones. The
 * field for that text comes with it if the list is long.
 */
export function useOptionFinder<Own extends Option>(
  options: readonly Own[],
  chosen: readonly string[],
  label: string,
): { shown: readonly Own[]; finder: ReactNode } {
  const [text, setText] = useState("");
  if (options.length <= MANY) return { shown: options, finder: null };
  const { rows, matching, total } = findInList(options, text, (option) => [option.label, option.note ?? ""]);
  const found = new Set(rows.map(({ value }) => value));
  const others = options.filter(({ value }) => chosen.includes(value) && !found.has(value));
  const finder = (
    <div className="mb-1 flex flex-wrap items-center gap-2">
      <Input
        type="search"
        aria-label={`Find in ${label}`}
        placeholder="Find"
        autoComplete="off"
        value={text}
        onText={setText}
        onKeyDown={(event) => {
          // Enter would submit the form around it.
          if (event.key === "Enter") event.preventDefault();
        }}
        className="h-7 flex-1 basis-32"
      />
      <span role="status" className="text-xs text-fg-muted">
        {matching > MAX_SHOWN ? `the first ${MAX_SHOWN} of ${matching}` : `${matching} of ${total}`}
      </span>
    </div>
  );
  return { shown: [...others, ...rows], finder };
}
