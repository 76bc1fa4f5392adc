"use client";

import { useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Input } from "@/components/ui/input";
import type { OfCase } from "./case-state";

type Props = {
  of: OfCase;
  name: string;
  canDelete: boolean;
  listHref: string;
  rename: Action<OfCase & { name: string }, unknown>;
  add: Action<OfCase & { items: string[]; note: string }, unknown>;
  remove: Action<OfCase, unknown>;
};

function RenameCase({ of, rename, ...given }: Props) {
  const [name, setName] = useState(given.name);
  return (
    <FormDialog
      title="Rename this case"
      trigger={<Button>Rename…</Button>}
      submit="Rename"
      action={rename}
      input={{ ...of, name }}
      done="Renamed"
      onClosed={() => undefined}
    >
      <Field label="Name" hint="Every member of the workspace sees it. Name no person.">
        <Input required maxLength={80} autoComplete="off" value={name} onText={setName} />
      </Field>
    </FormDialog>
  );
}

function AddItem({ of, add }: Props) {
  const [item, setItem] = useState("");
  const [note, setNote] = useState("");
  return (
    <FormDialog
      title="Add to this case"
      trigger={<Button>Add…</Button>}
      submit="Add"
      action={add}
      input={{ ...of, items: [item], note }}
      done="Added"
      onClosed={() => {
        setItem("");
        setNote("");
      }}
    >
      <Field label="Imprint, device, account or address" hint="imp_…, dev_…, acc_…, 203.0.113.7 or 203.0.113.0/24">
        <Input
          required
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          value={item}
          onText={setItem}
          className="font-mono text-xs"
        />
      </Field>
      <Field label="Why it belongs there" optional>
        <Input maxLength={300} autoComplete="off" value={note} onText={setNote} />
      </Field>
    </FormDialog>
  );
}

/** Every action on a case except changes of its state. */
export function CaseActions(props: Props) {
  const { of, canDelete, listHref, remove } = props;
  return (
    <>
      <AddItem {...props} />
      <RenameCase key={props.name} {...props} />
      {canDelete ? (
        <Confirm
          trigger={<Button variant="danger">Delete…</Button>}
          title="Delete this case?"
          confirmLabel="Delete case"
          action={remove}
          input={of}
          done="The case is deleted"
          next={listHref}
        >
          Its comments and its history are deleted for good. Visits, devices and accounts stay as they are.
        </Confirm>
      ) : null}
    </>
  );
}
