"use client";

import { Dialog } from "@base-ui/react/dialog";
import { Menu as MenuIcon, Search, X } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";

import { buttonStyle } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { AccountMenu } from "./account-menu";
import { navigationHref, visibleItems } from "./navigation";
import type { ShellData } from "./shell-data";
import { useSingleKeyShortcuts } from "./shortcut-setting";
import { SideNavigation } from "./side-navigation";
import { useShortcuts } from "./use-shortcuts";
import { type CreateWorkspaceAction, WorkspaceSwitcher } from "./workspace-switcher";

// Fetched when first opened: most visits of a page never do.
const CommandPalette = dynamic(() => import("./command-palette").then((module) => module.CommandPalette));
const ShortcutSheet = dynamic(() => import("./shortcut-sheet").then((module) => module.ShortcutSheet));

type Props = {
  data: ShellData;
  signOut: () => Promise<void>;
  createWorkspace: CreateWorkspaceAction;
  children: ReactNode;
};

function Drawer({ name, children }: { name: string; children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger
        aria-label="Open the navigation"
        className={cn(buttonStyle({ variant: "ghost", size: "icon" }), "size-8")}
      >
        <MenuIcon aria-hidden />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[oklch(0_0_0/.45)]" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-50 flex w-64 max-w-[85vw] flex-col overflow-y-auto border-r bg-bg p-3">
          <div className="mb-2 flex items-center justify-between pl-2">
            <Dialog.Title className="truncate font-semibold">{name}</Dialog.Title>
            <Dialog.Close aria-label="Close the navigation" className={buttonStyle({ variant: "ghost", size: "icon" })}>
              <X aria-hidden />
            </Dialog.Close>
          </div>
          {children(() => {
            setOpen(false);
          })}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The frame of the Console: navigation at the side, or in a drawer on narrow screens. */
export function Shell({ data, signOut, createWorkspace, children }: Props) {
  const { workspace, hidden, email } = data;
  const router = useRouter();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState({ palette: false, sheet: false });
  const [singleKeys] = useSingleKeyShortcuts();
  const items = visibleItems(hidden);
  const navigate = (href: string) => {
    router.push(href);
  };
  const openPalette = () => {
    setWasOpened((before) => ({ ...before, palette: true }));
    setPaletteOpen(true);
  };
  const openSheet = () => {
    setWasOpened((before) => ({ ...before, sheet: true }));
    setSheetOpen(true);
  };
  const destinations = new Map(
    items.flatMap((item) =>
      item.shortcut ? [[item.shortcut, navigationHref(workspace.workspaceId, item)] as const] : [],
    ),
  );
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
      <SideNavigation workspaceId={workspace.workspaceId} hidden={hidden} {...(onNavigate ? { onNavigate } : {})} />
      <div className="mt-auto flex flex-col gap-2 pt-6">
        <div className="px-2">
          <ThemeSwitch />
        </div>
        <AccountMenu
          email={email}
          settingsHref={`/w/${workspace.workspaceId}/settings/you`}
          signOut={signOut}
          onShowShortcuts={openSheet}
        />
      </div>
    </>
  );

  return (
    <div className="flex min-h-dvh flex-col nav:flex-row">
      <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b bg-bg px-3 nav:hidden">
        <Drawer name="Imprint">{side}</Drawer>
        <span className="min-w-0 flex-1 truncate font-semibold">{workspace.name}</span>
        <button
          type="button"
          aria-label="Jump to a page or search"
          onClick={openPalette}
          className={cn(buttonStyle({ variant: "ghost", size: "icon" }), "size-8")}
        >
          <Search aria-hidden />
        </button>
      </header>
      <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col overflow-y-auto border-r p-3 pt-4 nav:flex">
        {side()}
      </aside>
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
        <div className="mx-auto max-w-320 px-4 pt-6 pb-16 sm:px-7">{children}</div>
      </main>
      {wasOpened.palette ? (
        <CommandPalette
          open={isPaletteOpen}
          onOpenChange={setPaletteOpen}
          workspaceId={workspace.workspaceId}
          items={items}
          navigate={navigate}
        />
      ) : null}
      {wasOpened.sheet ? <ShortcutSheet open={isSheetOpen} onOpenChange={setSheetOpen} items={items} /> : null}
    </div>
  );
}
