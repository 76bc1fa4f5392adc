"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

import type { AddToCaseProps } from "@/components/case/add-dialog";
import { pageHref } from "@/components/shell/pages";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions, DialogClose } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Refusal } from "@/components/ui/refusal";
import { useAction } from "@/components/ui/use-action";

type Props = Pick<AddToCaseProps, "workspaceId" | "open">;

/** Opens an empty case and goes to it. */
export function CreateCase({ workspaceId, open }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const { run, result, isPending, reset } = useAction(open);
  const router = useRouter();
  return (
    <Dialog
      title="Open a case"
      trigger={<Button variant="primary">New case</Button>}
      open={isOpen}
      onOpenChange={setOpen}
      onClosed={() => {
        reset();
        setName("");
      }}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          run({ workspaceId, name, items: [], note: "" }, ({ caseId }) => {
            router.push(pageHref("case", { workspaceId, caseId }));
          });
        }}
      >
        <Field label="Name" hint="Every member of the workspace sees it. Name no person.">
          <Input required maxLength={80} autoComplete="off" value={name} onText={setName} />
        </Field>
        <Refusal result={result} />
        <DialogActions>
          <DialogClose>Cancel</DialogClose>
          <Button type="submit" variant="primary" disabled={isPending}>
            Open case
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
