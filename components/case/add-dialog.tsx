"use client";

import { useEffect, useState } from "react";

import { pageHref } from "@/components/shell/pages";
import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions, DialogClose } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input, NativeSelect } from "@/components/ui/input";
import { Refusal } from "@/components/ui/refusal";
import { useNavigate } from "@/components/ui/navigation-progress";
import { useToast } from "@/components/ui/toast";
import { useAction } from "@/components/ui/use-action";

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

type OpenCase = { caseId: string; name: string };

/** The cases that are not closed; empty while they load, and if loading fails. */
function useOpenCases(workspaceId: string): readonly OpenCase[] {
  const [cases, setCases] = useState<readonly OpenCase[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const read = async () => {
      const answer = await fetch(`${pageHref("cases", { workspaceId })}/open`, { signal: controller.signal });
      if (answer.ok) setCases(((await answer.json()) as { cases: OpenCase[] }).cases); // safe: our own route
    };
    read().catch(() => undefined);
    return () => {
      controller.abort();
    };
  }, [workspaceId]);
  return cases;
}

/** Value of the option that opens a new case. */
const NEW = "";

type Chosen = { cases: readonly OpenCase[]; chosen: string; name: string };

function Target({
  cases,
  chosen,
  name,
  onChoose,
  onName,
}: Chosen & { onChoose: (id: string) => void; onName: (name: string) => void }) {
  return (
    <>
      <Field label="Case">
        <NativeSelect
          value={chosen}
          onChange={({ currentTarget: { value } }) => {
            onChoose(value);
          }}
        >
          <option value={NEW}>A new case</option>
          {cases.map((each) => (
            <option key={each.caseId} value={each.caseId}>
              {each.name}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {chosen === NEW ? (
        <Field label="Name" hint="Every member of the workspace sees it. Name no person.">
          <Input required maxLength={80} autoComplete="off" value={name} onText={onName} />
        </Field>
      ) : null}
    </>
  );
}

/** Selects a case, or names a new one. */
export default function AddDialog(props: AddToCaseProps & { onClose: () => void }) {
  const { workspaceId, what, onClose } = props;
  const [chosen, setChosen] = useState(NEW);
  const [name, setName] = useState("");
  const [note, setNote] = useState("");
  const cases = useOpenCases(workspaceId);
  const [navigate, toast] = [useNavigate(), useToast()];
  const { run, result, isPending } = useAction<undefined, { caseId: string }>((_input, person) => {
    const items = { workspaceId, items: [...props.items], note };
    return chosen === NEW ? props.open({ ...items, name }, person) : props.add({ ...items, caseId: chosen }, person);
  });
  return (
    <Dialog
      title={`Add ${what} to a case`}
      open
      mustBeAnswered={isPending}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          run(undefined, ({ caseId }) => {
            onClose();
            toast.show(chosen === NEW ? "The case is open" : "Added to the case");
            navigate(pageHref("case", { workspaceId, caseId }));
          });
        }}
      >
        <Target cases={cases} chosen={chosen} name={name} onChoose={setChosen} onName={setName} />
        <Field label="Why it belongs there" optional>
          <Input maxLength={300} autoComplete="off" value={note} onText={setNote} />
        </Field>
        <Refusal result={result} />
        <DialogActions>
          <DialogClose>Cancel</DialogClose>
          <Button type="submit" variant="primary" isPending={isPending}>
            {chosen === NEW ? "Open case" : "Add"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
