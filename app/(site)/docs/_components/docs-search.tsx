"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useId, useState } from "react";

import { useShortcuts } from "@/components/shell/use-shortcuts";
import { useSingleKeyShortcuts } from "@/components/shell/shortcut-setting";
import { Combobox } from "@/components/ui/combobox";
import { Link } from "@/components/ui/link";
import { Modal } from "@/components/ui/modal";
import { READING_ORDER } from "../pages";
import type { FoundPlace } from "./search";

const PAGES: readonly FoundPlace[] = READING_ORDER.map(({ href, title, group }) => ({
  href,
  label: title,
  note: group,
}));
const NO_DESTINATIONS = new Map<string, string>();
/** Delay between a keystroke and the search request. */
const DEBOUNCE_MS = 120;

/** The sections that contain every word of a text, found by the service while typing; all pages for an empty text. */
function usePlaces(text: string): readonly FoundPlace[] {
  const [places, setPlaces] = useState(PAGES);
  const query = text.trim();
  useEffect(() => {
    if (query === "") return;
    const request = new AbortController();
    const timer = setTimeout(() => {
      fetch(`/docs/search/results?q=${encodeURIComponent(query)}`, { signal: request.signal })
        .then(async (response) => {
          if (response.ok) setPlaces((await response.json()) as FoundPlace[]);
        })
        // If the request fails, the entry that opens the full search page remains.
        .catch(() => {});
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [query]);
  if (query === "") return PAGES;
  const all = { href: `/docs/search?q=${encodeURIComponent(query)}`, label: `All places for “${query}”` };
  return [...(places === PAGES ? [] : places), all];
}

function SearchDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const router = useRouter();
  const titleId = useId();
  return (
    <Modal
      titleId={titleId}
      onDismiss={onClose}
      className="fixed inset-x-0 top-[12vh] mx-auto w-[calc(100vw-32px)] max-w-144 rounded-lg border"
    >
      <h2 id={titleId} className="sr-only">
        Search the documentation
      </h2>
      <Combobox
        label="Words to search for"
        listLabel="Places in the documentation"
        placeholder="Search the documentation"
        text={text}
        onText={setText}
        entries={usePlaces(text)}
        open={({ href }) => {
          onClose();
          router.push(href);
        }}
      />
    </Modal>
  );
}

/** Opens the search by pointer, with `/` and with Ctrl-K; without scripts it links to the search page. */
export function DocsSearch() {
  const [isOpen, setOpen] = useState(false);
  const [singleKeys] = useSingleKeyShortcuts();
  const open = () => {
    setOpen(true);
  };
  useShortcuts({
    singleKeys,
    destinations: NO_DESTINATIONS,
    navigate: () => {},
    openPalette: open,
    openSheet: () => {},
  });
  return (
    <>
      <Link
        href="/docs/search"
        aria-keyshortcuts="/ Control+K"
        aria-haspopup="dialog"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          open();
        }}
        className="flex h-8.5 items-center gap-2 rounded-md border border-border-strong bg-surface px-2.5 text-fg-muted hover:text-fg"
      >
        <Search aria-hidden className="size-4" />
        Search
        <kbd aria-hidden className="ml-auto rounded-sm border px-1.5 font-mono text-xs">
          /
        </kbd>
      </Link>
      {isOpen ? (
        <SearchDialog
          onClose={() => {
            setOpen(false);
          }}
        />
      ) : null}
    </>
  );
}
