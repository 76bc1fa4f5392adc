"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { useState } from "react";

import { shortId } from "@/components/ui/id";
import { idPattern } from "@/lib/ids";
import { type NavigationItem, navigationHref } from "./navigation";

type Entry = { value: string; label: string; href: string };

const imprintPattern = idPattern("imprint");

/** What a pasted text can open; nothing when it is no identifier. */
function entryOfId(text: string, workspaceId: string): Entry | undefined {
  const id = text.trim().toLowerCase();
  if (!imprintPattern.test(id)) return undefined;
  return { value: id, label: `Open the Report ${shortId(id)}`, href: `/w/${workspaceId}/reports/${id}` };
}

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  workspaceId: string;
  items: readonly NavigationItem[];
  navigate: (href: string) => void;
};

/** Goes to any page, or to the Report of a pasted imprint. */
export function CommandPalette({ open, onOpenChange, workspaceId, items, navigate }: Props) {
  const [text, setText] = useState("");
  const pages = items.map((item): Entry => ({
    value: item.label,
    label: item.label,
    href: navigationHref(workspaceId, item),
  }));
  const pasted = entryOfId(text, workspaceId);
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        setText("");
        onOpenChange(next);
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[oklch(0_0_0/.45)]" />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-128 -translate-x-1/2 rounded-lg border bg-surface shadow-2xl">
          <Dialog.Title className="sr-only">Go to</Dialog.Title>
          <Autocomplete.Root
            open
            inline
            items={pasted ? [pasted] : pages}
            value={text}
            onValueChange={setText}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(entry: Entry) => entry.value}
          >
            <div className="flex items-center gap-2 border-b px-4">
              <Search aria-hidden className="size-4 shrink-0 text-fg-muted" />
              <Autocomplete.Input
                aria-label="Page or imprint"
                placeholder="Page, or paste imp_…"
                className="h-11 w-full bg-transparent outline-none"
              />
            </div>
            <Autocomplete.Empty>
              <p className="px-4 py-6 text-center text-fg-muted empty:hidden">
                No page of that name. Paste a whole imprint to open its Report.
              </p>
            </Autocomplete.Empty>
            <Autocomplete.List className="max-h-80 overflow-y-auto p-1.5 empty:hidden">
              {(entry: Entry) => (
                <Autocomplete.Item
                  key={entry.value}
                  value={entry}
                  onClick={() => {
                    onOpenChange(false);
                    setText("");
                    navigate(entry.href);
                  }}
                  className="flex h-8.5 cursor-default items-center rounded-md px-2.5 outline-none select-none data-highlighted:bg-surface-2"
                >
                  {entry.label}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
