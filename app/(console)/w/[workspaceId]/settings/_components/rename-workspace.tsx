"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { useToast } from "@/components/ui/toast";
import type { Action } from "@/components/ui/action-result";
import { Refusal } from "@/components/ui/refusal";
import { useAction } from "@/components/ui/use-action";

type Props = { workspaceId: string; name: string; rename: Action<{ workspaceId: string; name: string }, unknown> };

export function RenameWorkspace({ workspaceId, name, rename }: Props) {
  const [value, setValue] = useState(name);
  const { run, result, isPending } = useAction(rename);
  const router = useRouter();
  const toast = useToast();
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        run({ workspaceId, name: value }, () => {
          toast.show("Renamed");
          router.refresh();
        });
      }}
    >
      <span className="flex max-w-96 gap-2">
        <Input aria-label="Name of the workspace" required maxLength={80} value={value} onText={setValue} />
        <Button type="submit" isPending={isPending} disabled={value.trim() === name}>
          Save
        </Button>
      </span>
      <Refusal result={result} />
    </form>
  );
}
