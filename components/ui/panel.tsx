import type { ReactNode } from "react";

import { cn } from "./class-names";

/** A bordered surface with an optional heading row. */
export function Panel(props: {
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
  id?: string;
}) {
  return (
    <section
      {...(props.id ? { id: props.id, "aria-labelledby": `${props.id}-title` } : {})}
      className={cn("min-w-0 rounded-lg border bg-surface", props.className)}
    >
      {props.title ? (
        <div className="flex min-h-10.5 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b px-4 py-1.5">
          <h2 {...(props.id ? { id: `${props.id}-title` } : {})} className="font-semibold">
            {props.title}
          </h2>
          {props.aside ? <div className="min-w-0 text-fg-muted">{props.aside}</div> : null}
        </div>
      ) : null}
      {props.children}
    </section>
  );
}

/** Rows of names and values. */
export function Facts({ rows }: { rows: readonly { name: ReactNode; value: ReactNode; aside?: ReactNode }[] }) {
  return (
    <dl>
      {rows.map((row, index) => (
        <div
          key={index}
          className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b px-4 py-1.25 last:border-b-0"
        >
          <dt className="w-28 shrink-0 text-fg-muted">{row.name}</dt>
          <dd className="min-w-0 flex-1 basis-36 wrap-anywhere">{row.value}</dd>
          {row.aside ? <dd className="shrink-0 self-center">{row.aside}</dd> : null}
        </div>
      ))}
    </dl>
  );
}

export function PageHeader(props: { title: ReactNode; lead?: ReactNode; actions?: ReactNode; above?: ReactNode }) {
  return (
    <header className="mb-4">
      {props.above ? <div className="mb-1 text-fg-muted">{props.above}</div> : null}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="min-w-0 text-title font-semibold wrap-anywhere">{props.title}</h1>
        {props.actions ? (
          <div className="flex flex-wrap items-center gap-2 max-sm:has-[form]:w-full print:hidden">{props.actions}</div>
        ) : null}
      </div>
      {props.lead ? <p className="mt-1 text-fg-muted">{props.lead}</p> : null}
    </header>
  );
}
