"use client";

import { Menu as MenuIcon, Search } from "lucide-react";
import { type ReactNode, Suspense, useId, useState } from "react";

import { Button } from "@/components/ui/button";
import { DialogDismiss } from "@/components/ui/dialog";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import { Modal } from "@/components/ui/modal";
import { useNavigate } from "@/components/ui/navigation-progress";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { AccountMenu } from "./account-menu";
import { navigationItems } from "./navigation";
import { pageHref } from "./pages";
import type { ShellData } from "./shell-data";
import { useSingleKeyShortcuts } from "./shortcut-setting";
import { SideNavigation } from "./side-navigation";
import { useRefreshOnReturn } from "./use-refresh-on-return";
import { useKeptFocus } from "./use-kept-focus";
import { useShortcuts } from "./use-shortcuts";
import { type CreateWorkspaceAction, WorkspaceSwitcher } from "./workspace-switcher";

/** Loaded on demand. */
const CommandPalette = lazyDialog(() => import("./command-palette"));
const ShortcutSheet = lazyDialog(() => import("./shortcut-sheet"));

type Props = {
  data: ShellData;
  signOut: () => Promise<void>;
  createWorkspace: CreateWorkspaceAction;
  children: ReactNode;
};

/** The navigation of narrow screens. */
function Drawer({ name, children }: { name: string; children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const titleId = useId();
  const close = () => {
    setOpen(false);
  };
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Open the navigation"
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
        }}
        className="size-8"
      >
        <MenuIcon aria-hidden />
      </Button>
      {isOpen ? (
        <Modal
          titleId={titleId}
          onDismiss={close}
          className="fixed inset-y-0 left-0 h-dvh max-h-none w-64 max-w-[85vw] overflow-y-auto border-r bg-bg p-3"
        >
          <div className="mb-2 flex items-center justify-between pl-2">
            <h2 id={titleId} className="truncate font-semibold">
              {name}
            </h2>
            <DialogDismiss label="Close the navigation" />
          </div>
          {children(close)}
        </Modal>
      ) : null}
    </>
  );
}

/** Layout of the Console: navigation at the side, or in a drawer on narrow screens. */
export function Shell({ data, signOut, createWorkspace, children }: Props) {
  const { workspace, hidden, email } = data;
  const { workspaceId } = workspace;
  const navigate = useNavigate();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [singleKeys] = useSingleKeyShortcuts();
  const items = navigationItems({ workspaceId }, hidden);
  const openPalette = () => {
    setPaletteOpen(true);
  };
  const openSheet = () => {
    setSheetOpen(true);
  };
  const destinations = new Map(items.map(({ shortcut, href }) => [shortcut, href]));
  useRefreshOnReturn();
  useKeptFocus();
  useShortcuts({ singleKeys, destinations, navigate, openPalette, openSheet });

  const side = (onNavigate?: () => void) => (
    <>
      <WorkspaceSwitcher
        workspace={workspace}
        workspaces={data.workspaces}
        canCreateWorkspace={data.canCreateWorkspace}
        create={createWorkspace}
      />
      <button
        type="button"
        onClick={() => {
          onNavigate?.();
          openPalette();
        }}
        className="mt-2 mb-3 flex h-7.5 items-center gap-2.5 rounded-md px-2 text-fg-muted hover:bg-surface-2 hover:text-fg"
      >
        <Search aria-hidden className="size-3.5" />
        Jump to…
        <kbd className="ml-auto font-mono text-[0.6875rem]">Ctrl K</kbd>
      </button>
      <SideNavigation
        home={pageHref("overview", { workspaceId })}
        items={items}
        {...(onNavigate ? { onNavigate } : {})}
      />
      <div className="mt-auto flex flex-col gap-2 pt-6">
        <div className="px-2">
          <ThemeSwitch />
        </div>
        <AccountMenu
          email={email}
          settingsHref={pageHref("settings-you", { workspaceId })}
          signOut={signOut}
          onShowShortcuts={openSheet}
        />
      </div>
    </>
  );

  return (
    <div className="flex min-h-dvh flex-col nav:flex-row">
      <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b bg-bg px-3 nav:hidden print:hidden">
        <Drawer name="Imprint">{side}</Drawer>
        <span className="min-w-0 flex-1 truncate font-semibold">{workspace.name}</span>
        <Button
          variant="ghost"
          size="icon"
          aria-label="Jump to a page or search"
          onClick={openPalette}
          className="size-8"
        >
          <Search aria-hidden />
        </Button>
      </header>
      <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col overflow-y-auto border-r p-3 pt-4 nav:flex print:hidden">
        {side()}
      </aside>
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
        <div className="mx-auto max-w-320 px-4 pt-6 pb-16 sm:px-6">{children}</div>
      </main>
      <Suspense>
        {isPaletteOpen ? (
          <CommandPalette
            onClose={() => {
              setPaletteOpen(false);
            }}
            workspaceId={workspaceId}
            items={items}
            mayIssueKeys={data.mayIssueKeys}
            mayInvite={data.mayInvite}
            navigate={navigate}
          />
        ) : null}
        {isSheetOpen ? (
          <ShortcutSheet
            onClose={() => {
              setSheetOpen(false);
            }}
            items={items}
          />
        ) : null}
      </Suspense>
    </div>
  );
}
