"use client";

import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";

export type ComboboxEntry = { label: string; note?: string };

type Props<Entry> = {
  label: string;
  /** Accessible name of the list. */
  listLabel: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  entries: readonly Entry[];
  open: (entry: Entry) => void;
};

const STEPS = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
]);

/** A field with the list of its matches: the focus stays in the field, the arrow keys move the active option. */
export function Combobox<Entry extends ComboboxEntry>(props: Props<Entry>) {
  const { text, onText, entries, open } = props;
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS.get(event.key);
    const entry = entries[chosen];
    if (step !== undefined) setChosen((chosen + step + entries.length) % entries.length);
    else if (event.key === "Enter" && entry) open(entry);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-2 border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-fg-muted" />
        <input
          role="combobox"
          aria-label={props.label}
          aria-expanded
          aria-controls={id}
          aria-activedescendant={`${id}-${chosen}`}
          aria-autocomplete="list"
          autoComplete="off"
          placeholder={props.placeholder}
          value={text}
          onChange={(event) => {
            onText(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
          className="h-11 w-full bg-transparent outline-none"
        />
      </div>
      <ul ref={list} role="listbox" id={id} aria-label={props.listLabel} className="max-h-80 overflow-y-auto p-1.5">
        {entries.map((entry, index) => (
          <li
            key={`${entry.label} ${entry.note ?? ""}`}
            role="option"
            id={`${id}-${index}`}
            aria-selected={index === chosen}
            onPointerMove={() => {
              setChosen(index);
            }}
            onClick={() => {
              open(entry);
            }}
            className="flex min-h-8.5 cursor-default items-center rounded-md px-2.5 -outline-offset-2 select-none aria-selected:bg-surface-2"
          >
            <span className="min-w-0 py-1 wrap-anywhere">{entry.label}</span>
            {entry.note === undefined ? null : <span className="ml-2 shrink-0 text-fg-muted">{entry.note}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
