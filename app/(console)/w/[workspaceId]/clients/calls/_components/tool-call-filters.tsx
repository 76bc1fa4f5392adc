import { Field } from "@/components/ui/field";
import { Input, NativeSelect } from "@/components/ui/input";
import { FilterForm } from "@/components/ui/filter-form";
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

export function ToolCallFilters({ path, query, clients, people }: Props) {
  return (
    <FilterForm path={path} query={query}>
      <Select label="Tool" name="tool" value={query.tool} all="Every tool" choices={TOOLS} />
      <Select label="Outcome" name="outcome" value={query.outcome} all="Every outcome" choices={OUTCOMES} />
      <Select label="Client" name="client" value={query.client} all="Every client" choices={clients} />
      {people ? <Select label="Person" name="person" value={query.person} all="Everybody" choices={people} /> : null}
      <Field label="Imprint" className="min-w-0 sm:w-48">
        <Input name="imprint" defaultValue={query.imprint} placeholder="imp_…" className="font-mono text-xs" />
      </Field>
    </FilterForm>
  );
}
