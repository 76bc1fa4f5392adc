import { FilterForm, FilterId, FilterSelect } from "@/components/ui/filter-form";
import type { Choice } from "@/components/ui/find-in-list";
import type { ToolCallTexts } from "./tool-call-query";
import { OUTCOMES, TOOLS } from "./tool-call-labels";

type Props = {
  path: string;
  query: ToolCallTexts;
  clients: readonly Choice[];
  /** Undefined for people who see only their own calls. */
  people: readonly Choice[] | undefined;
};

export function ToolCallFilters({ path, query, clients, people }: Props) {
  return (
    <FilterForm path={path} query={query}>
      <FilterSelect label="Tool" name="tool" value={query.tool} all="Every tool" choices={TOOLS} />
      <FilterSelect label="Outcome" name="outcome" value={query.outcome} all="Every outcome" choices={OUTCOMES} />
      <FilterSelect label="Client" name="client" value={query.client} all="Every client" choices={clients} />
      {people ? (
        <FilterSelect label="Person" name="person" value={query.person} all="Everybody" choices={people} />
      ) : null}
      <FilterId label="Imprint" name="imprint" value={query.imprint} example="imp_…" />
    </FilterForm>
  );
}
