"use client";

import { ChevronsUpDown, Keyboard, LogOut, UserRound } from "lucide-react";
import { useTransition } from "react";

import { Menu, MenuHeading, MenuItem, MenuLink, MenuSeparator } from "@/components/ui/menu";
import { foreign } from "@/components/ui/foreign";
import { noAnswer } from "@/components/ui/no-answer";
import { useToast } from "@/components/ui/toast";

type Props = { email: string; settingsHref: string; signOut: () => Promise<void>; onShowShortcuts: () => void };

export function AccountMenu({ email, settingsHref, signOut, onShowShortcuts }: Props) {
  const [isLeaving, startTransition] = useTransition();
  const toast = useToast();
  return (
    <Menu
      align="start"
      className="w-50"
      trigger={
        <button
          type="button"
          aria-label={`Account ${foreign(email)}`}
          aria-busy={isLeaving}
          className="flex h-8 w-full items-center justify-between gap-2 rounded-md px-2 text-left text-fg-muted hover:bg-surface-2 hover:text-fg"
        >
          <span className="min-w-0 truncate">{isLeaving ? "Signing out" : foreign(email)}</span>
          {isLeaving ? null : <ChevronsUpDown aria-hidden className="size-3.5 shrink-0" />}
        </button>
      }
    >
      <MenuHeading>
        <span className="break-all">Signed in as {foreign(email)}</span>
      </MenuHeading>
      <MenuLink href={settingsHref}>
        <UserRound aria-hidden />
        Your sign-in
      </MenuLink>
      <MenuItem onClick={onShowShortcuts}>
        <Keyboard aria-hidden />
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        disabled={isLeaving}
        onClick={() => {
          startTransition(async () => {
            await signOut().catch((error: unknown) => {
              toast.show("You may still be signed in", noAnswer(error).message);
            });
          });
        }}
      >
        <LogOut aria-hidden />
        Sign out
      </MenuItem>
    </Menu>
  );
}
