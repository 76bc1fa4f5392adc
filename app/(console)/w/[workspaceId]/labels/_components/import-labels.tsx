"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions, DialogClose } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input, Textarea } from "@/components/ui/input";
import { Refusal } from "@/components/ui/refusal";
import { useAction } from "@/components/ui/use-action";
import type { LabelImport } from "@/lib/visits/labels";

type Props = { workspaceId: string; action: Action<{ workspaceId: string; csv: string }, LabelImport> };

const SHOWN_PROBLEMS = 20;
/** Below the 1 MiB limit of an action, in which line ends and quotes count twice. */
const MAX_BYTES = 1_000_000;
const sentBytes = (text: string) => new TextEncoder().encode(JSON.stringify(text)).length;
const TOO_LARGE = "This is larger than 1 MB. Split it, or leave out the columns that are not read.";

function Outcome({ outcome: { changed, unchanged, problems } }: { outcome: LabelImport }) {
  return (
    <div role="status" className="rounded-md border px-3 py-2">
      <p>
        {changed} changed, {unchanged} as they were, {problems.length} refused
      </p>
      {problems.length > 0 ? (
        <ul className="mt-1 max-h-40 overflow-y-auto text-xs text-fg-muted">
          {problems.slice(0, SHOWN_PROBLEMS).map(({ line, problem }) => (
            <li key={line}>
              Line {line}: {problem}
            </li>
          ))}
          {problems.length > SHOWN_PROBLEMS ? <li>and {problems.length - SHOWN_PROBLEMS} more</li> : null}
        </ul>
      ) : null}
    </div>
  );
}

/** Form for a CSV file of labels, uploaded or pasted. */
export function ImportLabels({ workspaceId, action }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [csv, setCsv] = useState("");
  const [isFileTooLarge, setFileTooLarge] = useState(false);
  const { run, result, isPending, reset } = useAction(action);
  const router = useRouter();
  const isTooLarge = isFileTooLarge || sentBytes(csv) > MAX_BYTES;
  const choose = async (file: File | undefined) => {
    const isLarge = file !== undefined && file.size > MAX_BYTES;
    setFileTooLarge(isLarge);
    setCsv(file === undefined || isLarge ? "" : await file.text());
  };
  return (
    <Dialog
      title="Import labels"
      trigger={<Button variant="primary">Import CSV</Button>}
      open={isOpen}
      onOpenChange={setOpen}
      mustBeAnswered={isPending}
      onClosed={() => {
        setCsv("");
        setFileTooLarge(false);
        reset();
      }}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          run({ workspaceId, csv }, () => {
            router.refresh();
          });
        }}
      >
        <Field
          label="File"
          hint="At most 5,000 rows and 1 MB. The first line names the columns."
          error={isTooLarge ? TOO_LARGE : undefined}
        >
          <Input
            type="file"
            accept=".csv,text/csv"
            className="py-1"
            onChange={(event) => {
              void choose(event.currentTarget.files?.[0]);
            }}
          />
        </Field>
        <Field
          label="Or its text"
          hint="label: fraud, legitimate, tester, or none to take one back; and imprint, device_id, account_id or account_ref."
        >
          <Textarea
            value={csv}
            placeholder={"account_ref,label\n48213,fraud"}
            onText={(text) => {
              setFileTooLarge(false);
              setCsv(text);
            }}
          />
        </Field>
        {result?.ok ? <Outcome outcome={result.value} /> : <Refusal result={result} />}
        <DialogActions>
          <DialogClose>Close</DialogClose>
          <Button type="submit" variant="primary" isPending={isPending} disabled={isTooLarge || csv.trim() === ""}>
            Import
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
