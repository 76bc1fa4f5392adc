"use client";

import { useState } from "react";

import type { AddToCaseProps } from "@/components/case/add-dialog";
import { pageHref } from "@/components/shell/pages";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Input } from "@/components/ui/input";

type Props = Pick<AddToCaseProps, "workspaceId" | "open">;

/** Creates an empty case and opens it. */
export function CreateCase({ workspaceId, open }: Props) {
  const [name, setName] = useState("");
  return (
    <FormDialog
      title="Open a case"
      trigger={<Button variant="primary">New case</Button>}
      submit="Open case"
      action={open}
      input={{ workspaceId, name, items: [], note: "" }}
      next={({ caseId }) => pageHref("case", { workspaceId, caseId })}
      onClosed={() => {
        setName("");
      }}
    >
      <Field label="Name" hint="Every member of the workspace sees it. Name no person.">
        <Input required maxLength={80} autoComplete="off" value={name} onText={setName} />
      </Field>
    </FormDialog>
  );
}
