"use client";

import { useState } from "react";

import type { ReadConsequences } from "@/components/shell/consequence-asked";
import type { Action } from "@/components/ui/action-result";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Input } from "@/components/ui/input";
import type { Undo } from "@/components/ui/toast";
import { foreign } from "@/components/ui/foreign";

type OfView = { workspaceId: string; viewId: string };
export type ViewChange = "save" | "rename" | "delete";
export type ViewDialogProps = {
  workspaceId: string;
  /** Query string of the current filters; empty if none is set. */
  query: string;
  change: ViewChange;
  /** The current view; undefined if these filters are not saved. */
  view: { viewId: string; name: string } | undefined;
  save: Action<{ workspaceId: string; name: string; query: string }, unknown>;
  rename: Action<OfView & { name: string }, unknown>;
  remove: Action<OfView, unknown>;
  readConsequences: ReadConsequences;
  onClose: () => void;
};

const WORDS: Record<ViewChange, { title: string; submit: string; done: string }> = {
  save: { title: "Save these filters", submit: "Save view", done: "The view is saved" },
  rename: { title: "Rename this view", submit: "Rename", done: "Renamed" },
  delete: { title: "Delete this view?", submit: "Delete view", done: "The view is deleted" },
};

/** Form to save, rename or delete a view. */
export default function ViewDialog(props: ViewDialogProps) {
  const { workspaceId, query, change, view, onClose, readConsequences } = props;
  const [name, setName] = useState(view?.name ?? "");
  const viewId = view?.viewId ?? "";
  const act = (_input: undefined, person: string | undefined) => {
    if (change === "save") return props.save({ workspaceId, name, query }, person);
    if (change === "rename") return props.rename({ workspaceId, viewId, name }, person);
    return props.remove({ workspaceId, viewId }, person);
  };
  const undo: Undo = {
    action: (_input, person) => props.save({ workspaceId, name: view?.name ?? "", query }, person),
    done: "The view is saved again",
  };
  const isDeleting = change === "delete";
  return (
    <FormDialog
      {...WORDS[change]}
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDanger={isDeleting}
      action={act}
      input={undefined}
      undo={isDeleting ? undo : undefined}
      consequences={isDeleting ? { asked: { what: "view", workspaceId, viewId }, read: readConsequences } : undefined}
    >
      {isDeleting ? (
        <p className="text-fg-muted">
          “{foreign(view?.name ?? "")}” is taken off every member&apos;s list. Reports stay as they are.
        </p>
      ) : (
        <Field label="Name" hint="Every member of the workspace sees it.">
          <Input required maxLength={80} autoComplete="off" value={name} onText={setName} />
        </Field>
      )}
    </FormDialog>
  );
}
