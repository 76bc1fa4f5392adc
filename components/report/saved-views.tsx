"use client";

import { Bookmark } from "lucide-react";
import { Suspense, useState } from "react";

import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import { Menu, MenuHeading, MenuItem, MenuLink, MenuSeparator } from "@/components/ui/menu";
import type { ViewChange, ViewDialogProps } from "./view-dialog";

/** Loaded on demand. */
const ViewDialog = lazyDialog(() => import("./view-dialog"));

export type SavedView = {
  viewId: string;
  name: string;
  /** Undefined if it contains a filter that the member may not see. */
  href?: string;
  canChange: boolean;
};

type Props = Omit<ViewDialogProps, "change" | "view" | "onClose"> & {
  views: readonly SavedView[];
  /** Current URL of the list. */
  shown: string;
};

/** Saved views, and the actions for the current filters. */
export function SavedViews({ views, shown, ...dialog }: Props) {
  const [change, setChange] = useState<ViewChange>();
  const current = views.find(({ href }) => href === shown);
  const begin = (next: ViewChange) => () => {
    setChange(next);
  };
  return (
    <>
      <Menu
        align="end"
        className="max-w-72"
        trigger={
          <Button size="sm" variant="ghost">
            <Bookmark aria-hidden />
            <span className="max-w-40 truncate">{current ? current.name : "Views"}</span>
          </Button>
        }
      >
        <MenuHeading>{views.length === 0 ? "No view is saved yet" : "Saved by members"}</MenuHeading>
        {views.map(({ viewId, name, href }) =>
          href === undefined ? (
            <MenuItem key={viewId} disabled>
              <span className="truncate">{name}</span>
              <span className="ml-auto text-fg-muted">restricted</span>
            </MenuItem>
          ) : (
            <MenuLink key={viewId} href={href} isCurrent={href === shown}>
              <span className="truncate">{name}</span>
            </MenuLink>
          ),
        )}
        <MenuSeparator />
        {current ? null : (
          <MenuItem disabled={dialog.query === ""} onClick={begin("save")}>
            Save these filters…
          </MenuItem>
        )}
        {current?.canChange ? <MenuItem onClick={begin("rename")}>Rename this view…</MenuItem> : null}
        {current?.canChange ? (
          <MenuItem isDangerous onClick={begin("delete")}>
            Delete this view…
          </MenuItem>
        ) : null}
      </Menu>
      {change === undefined ? null : (
        <Suspense>
          <ViewDialog
            {...dialog}
            change={change}
            view={current}
            onClose={() => {
              setChange(undefined);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
