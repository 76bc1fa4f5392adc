import Link from "next/link";
import type { ReactNode } from "react";

import { Button } from "./button";
import { Field } from "./field";
import { Input } from "./input";
import { type FilterTexts, isFiltered } from "./filter-texts";

type Props = { path: string; query: FilterTexts & { from: string; to: string }; children: ReactNode };

/** Filters of a log and its days as a plain form: they stand in the address, and it works without scripts. */
export function FilterForm({ path, query, children }: Props) {
  return (
    <form
      method="get"
      action={path}
      role="search"
      aria-label="Filter"
      className="mb-4 grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
    >
      {children}
      <Field label="From (UTC)" className="min-w-0 sm:w-36">
        <Input type="date" name="from" defaultValue={query.from} />
      </Field>
      <Field label="To (UTC)" className="min-w-0 sm:w-36">
        <Input type="date" name="to" defaultValue={query.to} />
      </Field>
      <Button type="submit">Filter</Button>
      {isFiltered(query) ? (
        <Link href={path} className="link pb-1.5">
          Clear
        </Link>
      ) : null}
    </form>
  );
}
