"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { Refusal } from "@/components/ui/refusal";
import { useAction } from "@/components/ui/use-action";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions, DialogClose } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useToast } from "@/components/ui/toast";

type OfView = { workspaceId: string; viewId: string };
export type ViewChange = "save" | "rename" | "delete";
export type ViewDialogProps = {
  workspaceId: string;
  /** Query string of the current filters; empty when none is set. */
  query: string;
  change: ViewChange;
  /** The current view; undefined when these filters are not saved. */
  view: { viewId: string; name: string } | undefined;
  save: Action<{ workspaceId: string; name: string; query: string }, unknown>;
  rename: Action<OfView & { name: string }, unknown>;
  remove: Action<OfView, unknown>;
  onClose: () => void;
};

const WORDS: Record<ViewChange, { title: string; submit: string; done: string }> = {
  save: { title: "Save these filters", submit: "Save view", done: "The view is saved" },
  rename: { title: "Rename this view", submit: "Rename", done: "Renamed" },
  delete: { title: "Delete this view?", submit: "Delete view", done: "The view is deleted" },
};

/** Form to save, rename or delete a view. */
export default function ViewDialog(props: ViewDialogProps) {
  const { workspaceId, query, change, view, onClose } = props;
  const [name, setName] = useState(view?.name ?? "");
  const router = useRouter();
  const toast = useToast();
  const viewId = view?.viewId ?? "";
  const { run, result, isPending } = useAction<undefined, unknown>(() => {
    if (change === "save") return props.save({ workspaceId, name, query });
    if (change === "rename") return props.rename({ workspaceId, viewId, name });
    return props.remove({ workspaceId, viewId });
  });
  const { title, submit, done } = WORDS[change];
  return (
    <Dialog
      title={title}
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          run(undefined, () => {
            onClose();
            toast.show(done);
            router.refresh();
          });
        }}
      >
        {change === "delete" ? (
          <p className="text-fg-muted">“{view?.name}” is taken off every member's list. Reports stay as they are.</p>
        ) : (
          <Field label="Name" hint="Every member of the workspace sees it.">
            <Input required maxLength={80} autoComplete="off" value={name} onText={setName} />
          </Field>
        )}
        <Refusal result={result} />
        <DialogActions>
          <DialogClose>Cancel</DialogClose>
          <Button type="submit" variant={change === "delete" ? "danger" : "primary"} disabled={isPending}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
