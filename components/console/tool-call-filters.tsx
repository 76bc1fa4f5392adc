import Link from "next/link";

import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input, NativeSelect } from "@/components/ui/input";
import { isFiltered } from "./filter-texts";
import type { ToolCallTexts } from "./tool-call-query";
import { OUTCOMES, TOOLS } from "./tool-call-words";

type Choice = { value: string; text: string };

type SelectProps = { label: string; name: string; value: string; all: string; choices: readonly Choice[] };

/** A list box that also shows a value from the address which is not among its choices. */
function Select({ label, name, value, all, choices }: SelectProps) {
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

type Props = {
  path: string;
  query: ToolCallTexts;
  clients: readonly Choice[];
  /** Nothing for who sees only the own calls. */
  people: readonly Choice[] | undefined;
};

/** A plain form: the filters stand in the address, and it works without scripts. */
export function ToolCallFilters({ path, query, clients, people }: Props) {
  return (
    <form
      method="get"
      action={path}
      role="search"
      aria-label="Filter"
      className="mb-4 grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
    >
      <Select label="Tool" name="tool" value={query.tool} all="Every tool" choices={TOOLS} />
      <Select label="Outcome" name="outcome" value={query.outcome} all="Every outcome" choices={OUTCOMES} />
      <Select label="Client" name="client" value={query.client} all="Every client" choices={clients} />
      {people ? <Select label="Person" name="person" value={query.person} all="Everybody" choices={people} /> : null}
      <Field label="Imprint" className="min-w-0 sm:w-48">
        <Input name="imprint" defaultValue={query.imprint} placeholder="imp_…" className="font-mono text-xs" />
      </Field>
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
