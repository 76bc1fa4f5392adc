import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";

import { Button } from "./button";
import { Field } from "./field";
import { type Choice, MAX_SHOWN, undecided } from "./find-in-list";
import { Input, NativeSelect } from "./input";
import { foreign } from "./foreign";
import { type FilterTexts, isFiltered } from "./filter-texts";

type Props = { path: string; query: FilterTexts & { from: string; to: string }; children: ReactNode };

/** Filters and date range of a log as a GET form, which works without scripts. */
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

type SelectProps = { label: string; name: string; value: string; all: string; choices: readonly Choice[] };

/** A field for a part of a choice's text, of which there are too many for a list box. */
function FilterText({ label, name, value, all, choices }: SelectProps) {
  const chosen = choices.find((choice) => choice.value === value);
  const isUnknown = value !== "" && chosen === undefined;
  const { matching } = undecided(choices, value);
  return (
    <Field
      label={label}
      className="min-w-0 sm:w-44"
      error={
        isUnknown ? (matching === 0 ? "Nothing matches this" : `${matching} match this: type more of it`) : undefined
      }
    >
      <Input name={name} defaultValue={chosen?.text ?? value} placeholder={all} maxLength={200} autoComplete="off" />
    </Field>
  );
}

/**
 * A list box that also shows a value from the URL that is not among its options. Of too many options it is a text field
 * until a typed text, which `chosenValue` resolves, leaves few.
 */
export function FilterSelect(props: SelectProps) {
  const { label, name, value, all, choices } = props;
  if (choices.length <= MAX_SHOWN) return <FilterList {...props} />;
  const isKnown = choices.some((choice) => choice.value === value);
  const { rows, matching } = undecided(choices, value);
  return value === "" || isKnown || matching === 0 || matching > MAX_SHOWN ? (
    <FilterText {...props} />
  ) : (
    <FilterList
      {...{ label, name, value, all }}
      choices={[{ value, text: `${matching} match “${foreign(value)}”` }, ...rows]}
    />
  );
}

function FilterList({ label, name, value, all, choices }: SelectProps) {
  const isKnown = value === "" || choices.some((choice) => choice.value === value);
  return (
    <Field label={label} className="min-w-0 sm:w-44">
      <NativeSelect name={name} defaultValue={value}>
        <option value="">{all}</option>
        {isKnown ? null : <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </NativeSelect>
    </Field>
  );
}

/** A filter field for an identifier. */
export function FilterId({
  label,
  name,
  value,
  example,
}: {
  label: string;
  name: string;
  value: string;
  example: string;
}) {
  return (
    <Field label={label} className="min-w-0 sm:w-48">
      <Input name={name} defaultValue={value} placeholder={example} className="font-mono text-xs" />
    </Field>
  );
}
