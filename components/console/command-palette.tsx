"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { useRef, useState } from "react";

import { shortId } from "@/components/ui/id";
import { idPattern } from "@/lib/ids";
import { type NavigationItem, navigationHref } from "./navigation";

/** Without an address: the text is searched for, as the search box of a page would. */
type Entry = { value: string; label: string; href?: string };

const PAGES = [
  { pattern: idPattern("imprint"), folder: "reports", label: "Open the Report" },
  { pattern: idPattern("device"), folder: "devices", label: "Open the device" },
];

/** What a pasted text can open; nothing when it is no identifier. */
function entryOfId(text: string, workspaceId: string): Entry | undefined {
  const id = text.trim().toLowerCase();
  const page = PAGES.find(({ pattern }) => pattern.test(id));
  return page && { value: id, label: `${page.label} ${shortId(id)}`, href: `/w/${workspaceId}/${page.folder}/${id}` };
}

/** The pages whose name fits, then the search: of what is no page's name it is the only entry. */
function entriesFor(text: string, pages: readonly Entry[], workspaceId: string): readonly Entry[] {
  const wanted = text.trim().toLowerCase();
  const pasted = entryOfId(text, workspaceId);
  if (pasted) return [pasted];
  if (wanted === "") return pages;
  const named = pages.filter(({ label }) => label.toLowerCase().includes(wanted));
  return [...named, { value: text, label: `Search for “${text.trim()}”: device, address, account` }];
}

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  workspaceId: string;
  items: readonly NavigationItem[];
  navigate: (href: string) => void;
};

/** Goes to any page, or to whatever a pasted text stands for. */
export function CommandPalette({ open, onOpenChange, workspaceId, items, navigate }: Props) {
  const [text, setText] = useState("");
  const pages = items.map((item): Entry => ({
    value: item.label,
    label: item.label,
    href: navigationHref(workspaceId, item),
  }));
  const form = useRef<HTMLFormElement>(null);
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
            items={entriesFor(text, pages, workspaceId)}
            filter={null}
            value={text}
            onValueChange={setText}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(entry: Entry) => entry.value}
          >
            <div className="flex items-center gap-2 border-b px-4">
              <Search aria-hidden className="size-4 shrink-0 text-fg-muted" />
              <Autocomplete.Input
                aria-label="Page or anything to search for"
                placeholder="Page, imp_…, dev_…, address or account"
                className="h-11 w-full bg-transparent outline-none"
              />
            </div>
            <Autocomplete.List className="max-h-80 overflow-y-auto p-1.5 empty:hidden">
              {(entry: Entry) => (
                <Autocomplete.Item
                  key={entry.value}
                  value={entry}
                  onClick={() => {
                    if (entry.href === undefined) {
                      form.current?.requestSubmit();
                      return;
                    }
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
          <form ref={form} action={`/w/${workspaceId}/search/go`} method="post" hidden>
            <input type="hidden" name="search" value={text} />
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
