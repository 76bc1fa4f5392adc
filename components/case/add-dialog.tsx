"use client";

import { useState } from "react";

import { pageHref } from "@/components/shell/pages";
import type { Action } from "@/components/ui/action-result";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Input, NativeSelect } from "@/components/ui/input";
import { useNames } from "@/components/ui/use-names";

type Items = { workspaceId: string; items: string[]; note: string };

export type AddToCaseProps = {
  workspaceId: string;
  /** Imprints, device ids, account ids, addresses or ranges. */
  items: readonly string[];
  /** Describes them in the title: `this device`. */
  what: string;
  open: Action<Items & { name: string }, { caseId: string; name: string }>;
  add: Action<Items & { caseId: string }, { caseId: string; added: number }>;
};

/** Value of the option that opens a new case. */
const NEW = "";

/** Selects a case, or names a new one. */
export default function AddDialog(props: AddToCaseProps & { onClose: () => void }) {
  const { workspaceId, what, open, add, onClose } = props;
  const [chosen, setChosen] = useState(NEW);
  const [name, setName] = useState("");
  const [note, setNote] = useState("");
  const { names } = useNames(`${pageHref("cases", { workspaceId })}/open`);
  const isNew = chosen === NEW;
  return (
    <FormDialog<Items, { caseId: string }, never>
      title={`Add ${what} to a case`}
      open
      onOpenChange={onClose}
      submit={isNew ? "Open case" : "Add"}
      action={(items, person) => (isNew ? open({ ...items, name }, person) : add({ ...items, caseId: chosen }, person))}
      input={{ workspaceId, items: [...props.items], note }}
      done={isNew ? "The case is open" : "Added to the case"}
      next={({ caseId }) => pageHref("case", { workspaceId, caseId })}
    >
      <Field label="Case">
        <NativeSelect
          value={chosen}
          onChange={({ currentTarget: { value } }) => {
            setChosen(value);
          }}
        >
          <option value={NEW}>A new case</option>
          {names.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {isNew ? (
        <Field label="Name" hint="Every member of the workspace sees it. Name no person.">
          <Input required maxLength={80} autoComplete="off" value={name} onText={setName} />
        </Field>
      ) : null}
      <Field label="Why it belongs there" optional>
        <Input maxLength={300} autoComplete="off" value={note} onText={setNote} />
      </Field>
    </FormDialog>
  );
}
