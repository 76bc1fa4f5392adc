"use client";

import { useId, useRef, useState } from "react";

import { Combobox } from "@/components/ui/combobox";
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
export default function CommandPalette({ onClose, workspaceId, items, navigate }: Props) {
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
      <Combobox
        label="Page or anything to search for"
        listLabel="Pages and searches"
        placeholder="Page, imp_…, dev_…, address or account"
        text={text}
        onText={setText}
        entries={entriesFor(text, items, workspaceId)}
        open={open}
      />
      <form ref={form} action={`${pageHref("search", { workspaceId })}/go`} method="post" hidden>
        <input type="hidden" name="search" value={text} />
      </form>
    </Modal>
  );
}
