"use client";
import { Check, ChevronDown, Plus } from "lucide-react";
import { useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Input } from "@/components/ui/input";
import { Menu, MenuHeading, MenuItem, MenuLink, MenuSeparator } from "@/components/ui/menu";
import { pageHref } from "./pages";
import { planName } from "./plan-name";
import type { ShellData } from "./shell-data";

export type CreateWorkspaceAction = Action<{ name: string }, { workspaceId: string }>;

type DialogProps = { isOpen: boolean; setOpen: (isOpen: boolean) => void; create: CreateWorkspaceAction };

function CreateWorkspace({ isOpen, setOpen, create }: DialogProps) {
  const [name, setName] = useState("");
  return (
    <FormDialog
      title="New workspace"
      description="Each workspace has its own devices, keys and people. You will be its owner."
      open={isOpen}
      onOpenChange={setOpen}
      submit="Create workspace"
      action={create}
      input={{ name }}
      next={({ workspaceId }) => pageHref("overview", { workspaceId })}
      onClosed={() => {
        setName("");
      }}
    >
      <Field label="Name">
        <Input required maxLength={80} autoComplete="off" value={name} onText={setName} />
      </Field>
    </FormDialog>
  );
}

type Props = Pick<ShellData, "workspace" | "workspaces" | "canCreateWorkspace"> & { create: CreateWorkspaceAction };

export function WorkspaceSwitcher({ canCreateWorkspace, create, ...shown }: Props) {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <SwitcherMenu
        {...shown}
        {...(canCreateWorkspace
          ? {
              onCreate: () => {
                setCreating(true);
              },
            }
          : {})}
      />
      {canCreateWorkspace ? <CreateWorkspace isOpen={isCreating} setOpen={setCreating} create={create} /> : null}
    </>
  );
}

type MenuProps = Pick<ShellData, "workspace" | "workspaces"> & { onCreate?: () => void };

function SwitcherMenu({ workspace, workspaces, onCreate }: MenuProps) {
  return (
    <Menu
      align="start"
      className="w-50"
      trigger={
        <button
          type="button"
          className="flex h-8.5 w-full items-center justify-between gap-2 rounded-md border bg-surface px-2 text-left hover:bg-surface-2"
        >
          <span className="min-w-0 truncate font-semibold">{workspace.name}</span>
          <span className="flex shrink-0 items-center gap-0.5 font-medium text-fg-muted">
            {planName(workspace.plan)}
            <ChevronDown aria-hidden className="size-3.5" />
          </span>
          <span className="sr-only">Switch workspace</span>
        </button>
      }
    >
      <MenuHeading>Workspaces</MenuHeading>
      {workspaces.map(({ workspaceId, name }) => (
        <MenuLink
          key={workspaceId}
          href={pageHref("overview", { workspaceId })}
          isCurrent={workspaceId === workspace.workspaceId}
        >
          <span className="flex size-3.5 items-center">
            {workspaceId === workspace.workspaceId ? <Check aria-hidden /> : null}
          </span>
          <span className="min-w-0 truncate">{name}</span>
        </MenuLink>
      ))}
      {onCreate ? (
        <>
          <MenuSeparator />
          <MenuItem onClick={onCreate}>
            <Plus aria-hidden />
            New workspace
          </MenuItem>
        </>
      ) : null}
    </Menu>
  );
}
