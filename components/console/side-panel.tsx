"use client";

import { Dialog } from "@base-ui/react/dialog";
import { ArrowUpRight, X } from "lucide-react";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";

import { buttonStyle } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";

type Props = {
  title: string;
  /** Address of the same thing as a page of its own. */
  href?: string;
  actions?: ReactNode;
  children: ReactNode;
};

/** Lies over the right side of a list; closing it goes back to the list and to the row that opened it. */
export function SidePanel({ title, href, actions, children }: Props) {
  const router = useRouter();
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) router.back();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[oklch(0_0_0/.3)]" />
        <Dialog.Popup className="fixed inset-y-0 right-0 z-50 flex w-full max-w-160 flex-col border-l bg-bg shadow-2xl outline-none">
          <div className="flex flex-wrap items-center gap-2 border-b px-4 py-2">
            <Dialog.Title className="min-w-0 flex-1 text-base font-semibold break-words">{title}</Dialog.Title>
            {href ? (
              // A plain link: following it inside the application would open this panel again.
              <a href={href} className={buttonStyle({ variant: "secondary" })}>
                Open as a page <ArrowUpRight aria-hidden />
              </a>
            ) : null}
            <Dialog.Close aria-label="Close" className={cn(buttonStyle({ variant: "ghost", size: "icon" }), "size-8")}>
              <X aria-hidden />
            </Dialog.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto p-4" tabIndex={0} role="region" aria-label={title}>
            {actions ? <div className="mb-4 flex flex-wrap gap-2">{actions}</div> : null}
            {children}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
