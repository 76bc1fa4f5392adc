"use client";

import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

import { cn } from "./class-names";

/** Index change per key; wraps around. */
const STEPS = new Map([
  ["ArrowRight", 1],
  ["ArrowLeft", -1],
]);

/** Tabs over panels rendered on the server. */
export function Tabs(props: {
  label: string;
  items: readonly { name: string; panel: ReactNode }[];
  className?: string;
}) {
  const { items } = props;
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = STEPS.get(event.key);
    if (step === undefined) return;
    event.preventDefault();
    const next = (chosen + step + items.length) % items.length;
    setChosen(next);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div className={cn("min-w-0", props.className)}>
      <div role="tablist" aria-label={props.label} onKeyDown={onKeyDown} className="mb-1.5 flex flex-wrap gap-0.5">
        {items.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-controls={`${id}-panel-${index}`}
            aria-selected={index === chosen}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => {
              setChosen(index);
            }}
            className="h-7 rounded-md px-2.5 text-sm text-fg-muted hover:text-fg aria-selected:bg-surface-2 aria-selected:font-medium aria-selected:text-fg"
          >
            {name}
          </button>
        ))}
      </div>
      {items.map(({ name, panel }, index) => (
        <div
          key={name}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          hidden={index !== chosen}
          className="min-w-0"
        >
          {panel}
        </div>
      ))}
    </div>
  );
}
