import Form from "next/form";

import { DIMENSION_NAMES } from "@/components/report/dimension-text";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { NativeSelect } from "@/components/ui/input";
import type { ExploredDimension } from "@/lib/visits/slices";
import type { ExploreQuery } from "./explore-query";

type Props = {
  path: string;
  query: ExploreQuery;
  offered: readonly ExploredDimension[];
  /** Query parameters of the current range, which are kept. */
  range: Record<string, string>;
};

/** Chooses the dimensions by which visits are counted. Works without scripts. */
export function ExploreForm({ path, query, offered, range }: Props) {
  const options = offered.map((dimension) => (
    <option key={dimension} value={dimension}>
      {DIMENSION_NAMES[dimension]}
    </option>
  ));
  return (
    <Form
      action={path}
      className="mb-4 grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
      key={JSON.stringify(query)}
    >
      {Object.entries(range).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field label="Visits by" className="min-w-0 sm:w-44">
        <NativeSelect name="by" defaultValue={query.by}>
          {options}
        </NativeSelect>
      </Field>
      <Field label="and" className="min-w-0 sm:w-44">
        <NativeSelect name="and" defaultValue={query.and ?? ""}>
          <option value="">nothing else</option>
          {options}
        </NativeSelect>
      </Field>
      <Field label="Most" className="min-w-0 sm:w-44">
        <NativeSelect name="order" defaultValue={query.order}>
          <option value="visits">visits</option>
          <option value="attention">suspicious and deceptive</option>
        </NativeSelect>
      </Field>
      <Button type="submit" variant="primary">
        Show
      </Button>
    </Form>
  );
}
