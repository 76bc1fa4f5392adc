"use client";

import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";

import { shortId } from "@/components/ui/id";
import { Modal } from "@/components/ui/modal";
import { idPattern } from "@/lib/contract/ids";
import type { NavigationItem } from "./navigation";
import { pageHref } from "./pages";

/** Without an address the text is sent to the search. */
type Entry = { label: string; href?: string };

/** Entry for a pasted identifier; undefined for other text. */
function entryOfId(text: string, workspaceId: string): Entry | undefined {
  const id = text.trim().toLowerCase();
  if (idPattern("imprint").test(id))
    return { label: `Open the Report ${shortId(id)}`, href: pageHref("report", { workspaceId, imprint: id }) };
  if (idPattern("device").test(id))
    return { label: `Open the device ${shortId(id)}`, href: pageHref("device", { workspaceId, deviceId: id }) };
  return undefined;
}

/** Pages whose name matches, then the search. */
function entriesFor(text: string, pages: readonly Entry[], workspaceId: string): readonly Entry[] {
  const wanted = text.trim().toLowerCase();
  const pasted = entryOfId(text, workspaceId);
  if (pasted) return [pasted];
  if (wanted === "") return pages;
  const named = pages.filter(({ label }) => label.toLowerCase().includes(wanted));
  return [...named, { label: `Search for “${text.trim()}”: device, address, account` }];
}

type Props = {
  onClose: () => void;
  workspaceId: string;
  items: readonly NavigationItem[];
  navigate: (href: string) => void;
};

/** Opens any page, or what a pasted identifier refers to. */
export function CommandPalette({ onClose, workspaceId, items, navigate }: Props) {
  const [text, setText] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const titleId = useId();
  const open = ({ href }: Entry) => {
    if (href === undefined) {
      form.current?.requestSubmit();
      return;
    }
    onClose();
    navigate(href);
  };
  return (
    <Modal
      titleId={titleId}
      onDismiss={onClose}
      className="fixed inset-x-0 top-[12vh] mx-auto w-[calc(100vw-32px)] max-w-128 rounded-lg border"
    >
      <h2 id={titleId} className="sr-only">
        Go to
      </h2>
      <Combobox text={text} onText={setText} entries={entriesFor(text, items, workspaceId)} open={open} />
      <form ref={form} action={`${pageHref("search", { workspaceId })}/go`} method="post" hidden>
        <input type="hidden" name="search" value={text} />
      </form>
    </Modal>
  );
}

type ComboboxProps = {
  text: string;
  onText: (text: string) => void;
  entries: readonly Entry[];
  open: (entry: Entry) => void;
};

const STEPS = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
]);

/** Combobox: the focus stays in the field, the arrow keys move the active option. */
function Combobox({ text, onText, entries, open }: ComboboxProps) {
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS.get(event.key);
    const entry = entries[chosen];
    if (step !== undefined) setChosen((chosen + step + entries.length) % entries.length);
    else if (event.key === "Enter" && entry) open(entry);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-2 border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-fg-muted" />
        <input
          role="combobox"
          aria-label="Page or anything to search for"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={`${id}-${chosen}`}
          aria-autocomplete="list"
          autoComplete="off"
          placeholder="Page, imp_…, dev_…, address or account"
          value={text}
          onChange={(event) => {
            onText(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
          className="h-11 w-full bg-transparent outline-none"
        />
      </div>
      <ul ref={list} role="listbox" id={id} aria-label="Pages and searches" className="max-h-80 overflow-y-auto p-1.5">
        {entries.map((entry, index) => (
          <li
            key={entry.label}
            role="option"
            id={`${id}-${index}`}
            aria-selected={index === chosen}
            onPointerMove={() => {
              setChosen(index);
            }}
            onClick={() => {
              open(entry);
            }}
            className="flex h-8.5 cursor-default items-center rounded-md px-2.5 -outline-offset-2 select-none aria-selected:bg-surface-2 forced-colors:aria-selected:outline-2"
          >
            {entry.label}
          </li>
        ))}
      </ul>
    </>
  );
}
