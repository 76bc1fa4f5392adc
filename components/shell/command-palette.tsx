"use client";

import { useTheme } from "next-themes";
import { useId, useRef, useState } from "react";

import { Combobox } from "@/components/ui/combobox";
import { shortId } from "@/components/ui/id";
import { Modal } from "@/components/ui/modal";
import { useNames } from "@/components/ui/use-names";
import { OPEN_PARAMETER } from "@/components/ui/use-open-by-address";
import { idPattern } from "@/lib/contract/ids";
import type { NavigationItem } from "./navigation";
import { pageHref } from "./pages";
import { foreign } from "@/components/ui/foreign";

/** Opens a URL, runs a command here, or sends the text to the search. */
type Entry = { label: string; note?: string; href?: string; act?: () => void };

/** Entry for a pasted identifier; undefined for other text. */
function entryOfId(text: string, workspaceId: string): Entry | undefined {
  const id = text.trim().toLowerCase();
  if (idPattern("imprint").test(id))
    return { label: `Open the Report ${shortId(id)}`, href: pageHref("report", { workspaceId, imprint: id }) };
  if (idPattern("device").test(id))
    return { label: `Open the device ${shortId(id)}`, href: pageHref("device", { workspaceId, deviceId: id }) };
  return undefined;
}

/** Whether each word begins a word of an entry's label, such as `dark th` in `Use the dark theme`. */
function isNamedBy(label: string, wanted: string): boolean {
  const words = label.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const isNamed = wanted.split(/\s+/).every((part) => words.some((word) => word.startsWith(part)));
  return isNamed || label.toLowerCase().includes(wanted);
}

/** Matching pages, Web Apps and commands, then the search. */
function entriesFor(text: string, known: Known, workspaceId: string): readonly Entry[] {
  const wanted = text.trim().toLowerCase();
  const pasted = entryOfId(text, workspaceId);
  if (pasted) return [pasted];
  if (wanted === "") return [...known.pages, ...known.acts];
  const named = [...known.pages, ...known.acts, ...known.webApps].filter(({ label }) => isNamedBy(label, wanted));
  return [...named, { label: `Search for “${foreign(text.trim())}”: device, address, account` }];
}

type Known = Record<"pages" | "acts" | "webApps", readonly Entry[]>;

/** The Web Apps of the workspace; empty while they load, and if loading fails. */
function useWebApps(workspaceId: string): readonly Entry[] {
  const { names } = useNames(`${pageHref("web-apps", { workspaceId })}/names`);
  return names.map(({ id, name }) => ({
    label: name,
    note: "Web App",
    href: pageHref("web-app", { workspaceId, webAppId: id }),
  }));
}

const THEMES = { light: "Use the light theme", dark: "Use the dark theme", system: "Use the theme of the system" };

/** Commands that are available everywhere. */
function useActs({ workspaceId, mayIssueKeys, mayInvite }: Pick<Props, "workspaceId" | "mayIssueKeys" | "mayInvite">) {
  const { setTheme } = useTheme();
  const opening = (page: "keys" | "members", name: string) =>
    `${pageHref(page, { workspaceId })}?${OPEN_PARAMETER}=${name}`;
  const acts: Entry[] = Object.entries(THEMES).map(([theme, label]) => ({
    label,
    act: () => {
      setTheme(theme);
    },
  }));
  if (mayInvite) acts.unshift({ label: "Invite a person…", href: opening("members", "invite") });
  if (mayIssueKeys) acts.unshift({ label: "New key…", href: opening("keys", "key") });
  return acts;
}

type Props = {
  onClose: () => void;
  workspaceId: string;
  items: readonly NavigationItem[];
  mayIssueKeys: boolean;
  mayInvite: boolean;
  navigate: (href: string) => void;
};

/** Opens any page or Web App, runs a command, or opens the object of a pasted identifier. */
export default function CommandPalette({ onClose, items, navigate, ...may }: Props) {
  const { workspaceId } = may;
  const known = { pages: items, acts: useActs(may), webApps: useWebApps(workspaceId) };
  const [text, setText] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const titleId = useId();
  const open = ({ href, act }: Entry) => {
    if (act) {
      act();
      onClose();
      return;
    }
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
        placeholder="Page, Web App, command, id, address or account"
        text={text}
        onText={setText}
        entries={entriesFor(text, known, workspaceId)}
        open={open}
      />
      <form ref={form} action={`${pageHref("search", { workspaceId })}/go`} method="post" hidden>
        <input type="hidden" name="search" value={text} />
      </form>
    </Modal>
  );
}
