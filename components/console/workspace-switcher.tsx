"use client";

import { Check, ChevronDown } from "lucide-react";

import { Menu, MenuHeading, MenuLink } from "@/components/ui/menu";
import type { ShellData } from "./shell-data";

const planName = (plan: string) => `${plan.charAt(0).toUpperCase()}${plan.slice(1)}`;

export function WorkspaceSwitcher({ workspace, workspaces }: Pick<ShellData, "workspace" | "workspaces">) {
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
        <MenuLink key={workspaceId} href={`/w/${workspaceId}`} isCurrent={workspaceId === workspace.workspaceId}>
          <span className="flex size-3.5 items-center">
            {workspaceId === workspace.workspaceId ? <Check aria-hidden /> : null}
          </span>
          <span className="min-w-0 truncate">{name}</span>
        </MenuLink>
      ))}
    </Menu>
  );
}
