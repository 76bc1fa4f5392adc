"use client";

import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

import { cn } from "./class-names";

/** Small tabs over panels that were rendered on the server. */
export function Tabs(props: {
  label: string;
  items: readonly { name: string; panel: ReactNode }[];
  className?: string;
}) {
  const first = props.items[0];
  if (!first) return null;
  return (
    <Base.Root defaultValue={first.name} className={cn("min-w-0", props.className)}>
      <Base.List aria-label={props.label} className="mb-1.5 flex flex-wrap gap-0.5">
        {props.items.map(({ name }) => (
          <Base.Tab
            key={name}
            value={name}
            className="h-7 rounded-md px-2.5 text-sm text-fg-muted hover:text-fg data-active:bg-surface-2 data-active:font-medium data-active:text-fg"
          >
            {name}
          </Base.Tab>
        ))}
      </Base.List>
      {props.items.map(({ name, panel }) => (
        <Base.Panel key={name} value={name} className="min-w-0" keepMounted>
          {panel}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
