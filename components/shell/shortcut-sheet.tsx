"use client";

import { Dialog } from "@/components/ui/dialog";
import { Checkbox } from "@/components/ui/input";
import type { NavigationItem } from "./navigation";
import { useSingleKeyShortcuts } from "./shortcut-setting";

function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className="flex gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="min-w-6 rounded-sm border bg-surface-2 px-1.5 text-center font-mono text-xs leading-5"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}

export default function ShortcutSheet(props: { onClose: () => void; items: readonly NavigationItem[] }) {
  const [areOn, setOn] = useSingleKeyShortcuts();
  const rows = [
    { text: "Go anywhere, or open what is pasted", keys: ["Ctrl", "K"] },
    { text: "Search this page", keys: ["/"] },
    { text: "Next and previous row of a list", keys: ["j", "k"] },
    ...props.items.map(({ label, shortcut }) => ({ text: label, keys: ["g", shortcut] })),
    { text: "This sheet", keys: ["?"] },
  ];
  return (
    <Dialog
      title="Keyboard shortcuts"
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) props.onClose();
      }}
    >
      <ul className="flex flex-col gap-1.5">
        {rows.map(({ text, keys }) => (
          <li key={text} className="flex items-center justify-between gap-4">
            {text}
            <Keys keys={keys} />
          </li>
        ))}
      </ul>
      <label className="mt-4 flex gap-2 border-t pt-4">
        <Checkbox checked={areOn} onCheck={setOn} />
        <span>
          Single-key shortcuts
          <span className="block text-fg-muted">
            Switch them off if speech input or a screen reader sends these keys. Ctrl K stays.
          </span>
        </span>
      </label>
    </Dialog>
  );
}
